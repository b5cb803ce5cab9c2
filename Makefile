# Rigview's daily commands. Everything is installed into .venv by .ci/setup, once.
export PYTHON ?= python3
PY := .venv/bin/python
CHARACTER := assets/mannequin.glb
SHEET := out/mannequin.png

.PHONY: help run test check format assets icon poses strips features panels diagnose page report pairs hashes bench measure changes faults fuzz monkey soak lock oldest newest \
  docs blender manual wheel bundle packages clean

help:
	@echo "make run     the window, on the bundled character (a contact sheet where there is no display)"
	@echo "make test    every test"
	@echo "make check   format, lint, types, architecture, words"
	@echo "make format  rewrites the code in the house style"
	@echo "make assets  makes the bundled character and the light of its studio again"
	@echo "make icon    draws the icon of the program from the bundled character"
	@echo "make poses   draws it in the poses that break bad skins, into assets/readme/extremes.png"
	@echo "make strips  draws the motion examples of the tests into build/strips"
	@echo "make features puts the golden pictures of all features into build/features.png"
	@echo "make panels  draws all panels of the window at several sizes and densities into build/panels (of WORDS=docs: into docs/window)"
	@echo "make diagnose  draws the pictures of docs/diagnose.md, and writes its files into build/diagnose"
	@echo "make page    writes the page in which the bundled character plays: out/mannequin.html"
	@echo "make report  draws a report as a browser shows it, into assets/readme/report.webp"
	@echo "make pairs   measures our pictures beside those of f3d and three.js in build/pairs (and of MODELS=FOLDER)"
	@echo "make hashes  writes the outputs of all commands as hashes into HASHES=build/hashes.json"
	@echo "make bench   measures other programs and ours in alternation, for docs/performance.md"
	@echo "make measure times of one part: PART=pose, blend, motion, crowd, frame, frame_work, panel_times, longest_frames"
	@echo "make changes what diff says about planted changes of FILES=assets/mannequin.glb"
	@echo "make faults  kills the writers of files at every system call, and fills the disk"
	@echo "make fuzz    runs every command on mutated files for SECONDS=60; findings in build/fuzz"
	@echo "make monkey  random input for the window: SECONDS=60 SEED=1 ACTIONS=20000"
	@echo "make soak    24 simulated hours of the mixer: memory, events and positions"
	@echo "make lock    writes the locked versions of requirements/ again, with the newest ones"
	@echo "make oldest  tests the core with the oldest versions that pyproject.toml allows (newest: with the newest)"
	@echo "make docs    the reference of the public names of Python in build/docs, with a search"
	@echo "make blender Blender as a Python package (1 GB) in build/blender, for other formats and their tests"
	@echo "make manual  the manual page and the completion scripts in build/shared, and shows the page"
	@echo "make wheel   a wheel in dist/"
	@echo "make packages the same as a .deb and a .tar.xz, in dist/"
	@echo "make bundle  the program with all that it needs, Python too, in build/bundle/rigview"

# Without a display the program says so and exits with 4: then the picture is written instead.
run:
	@.ci/setup run
	@status=4; \
	if [ -n "$$DISPLAY" ] || [ "$$(uname)" != Linux ]; then \
	  status=0; $(PY) -m app || status=$$?; \
	fi; \
	if [ $$status -eq 4 ]; then \
	  mkdir -p $(dir $(SHEET)) && $(PY) -m app sheet $(CHARACTER) -o $(SHEET) && \
	  echo "No window here; a picture of the bundled character's clips lies in $(CURDIR)/$(SHEET)"; \
	else \
	  exit $$status; \
	fi

# One worker more than cores, since some tests wait for a window, and no threads of BLAS beside them.
# Bytecode is written also where Python is told not to: a rewritten test module takes long to compile.
# A crashed worker ends the run, which names the test: xdist waits forever after replacing one.
WORKERS = $$($(PYTHON) -c 'import os; print(min(os.cpu_count() + 1, 6))')

test:
	@.ci/setup test
	PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder \
	  --max-worker-restart=0

check:
	@.ci/setup check
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	@mkdir -p build/mypy && ln -sfn ../../app build/mypy/rigview
	$(PY) -m mypy -p rigview -p mannequin -m make_mannequin -m make_shield -m make_studio -m show_extremes
	$(PY) -m mypy docs/scripts/*.py
	$(PY) -m pytest -q tests/test_layers.py tests/test_words.py

format:
	@.ci/setup check
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

# With the very versions that the extra [assets] names the bytes are the same again.
PINS = import tomllib; \
  print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$@"])

assets:
	@.ci/setup run
	$(PY) -m pip install --quiet --disable-pip-version-check $$($(PY) -c '$(PINS)')
	$(PY) assets/make_mannequin.py
	$(PY) assets/make_shield.py
	$(PY) assets/make_studio.py

icon:
	@.ci/setup run
	$(PY) assets/make_icon.py

poses:
	@.ci/setup run
	$(PY) assets/show_extremes.py

strips:
	@.ci/setup run
	$(PY) -m tests.tools.draw_motion_examples

features:
	@.ci/setup run
	$(PY) -m tests.tools.show_feature_pictures

panels:
	@.ci/setup run
	$(PY) -m tests.tools.show_window --only '$(WORDS)'
	$(PY) -m tests.tools.show_panels --only '$(WORDS)'

diagnose:
	@.ci/setup run
	$(PY) -m tests.tools.show_diagnoses --files build/diagnose

page:
	@.ci/setup run
	@mkdir -p $(dir $(SHEET))
	$(PY) -m app page $(CHARACTER) -o $(SHEET:.png=.html)

report:
	@.ci/setup test
	$(PY) -m tests.tools.show_report

# Missing programs (f3d, three.js, Chromium) are reported and skipped. BENCH: names of rows and files.
pairs:
	@.ci/setup run
	MODELS=$(MODELS) $(PY) -m tests.bench.viewer_comparison build/pairs $(BENCH)

# Two such files, of two versions: tests/tools/output_hashes.py --compare A B
HASHES ?= build/hashes.json

hashes:
	@.ci/setup run
	@mkdir -p $(dir $(HASHES))
	$(PY) tests/tools/output_hashes.py --keep-texts --out $(HASHES)

# Missing programs are reported and skipped; a slower row is marked, and nothing fails.
bench:
	@.ci/setup test
	$(PY) -m tests.bench.performance $(BENCH)

# One program of tests/bench, with the arguments of its first lines in BENCH.
PART ?= pose

measure:
	@.ci/setup test
	OPENBLAS_NUM_THREADS=1 $(PY) -m tests.bench.$(PART) $(BENCH)

FILES ?= $(CHARACTER)

changes:
	@.ci/setup run
	$(PY) -m tests.tools.reported_changes $(FILES)

# Locked versions with hashes: `run` to use Rigview in a checkout, `dev` to work on it, `wheel` to build it.
UV := build/uv/bin/uv
LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
  --no-emit-index-url --no-annotate --custom-compile-command "make lock"
BACKEND = import tomllib; \
  print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")

$(UV):
	$(PYTHON) -m venv build/uv
	build/uv/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.11'

lock: $(UV)
	$(PYTHON) -c '$(BACKEND)' >build/backend.in
	cd requirements && ../$(LOCK) --extra dev --extra video ../pyproject.toml ../build/backend.in -o dev.txt
	cd requirements && ../$(LOCK) --extra video ../pyproject.toml ../build/backend.in -c dev.txt -o run.txt
	cd requirements && ../$(LOCK) --extra video --extra compressed --extra bundle ../pyproject.toml ../build/backend.in \
	  -c dev.txt -o bundle.txt
	cd requirements && echo build | ../$(LOCK) - ../build/backend.in -c dev.txt -o wheel.txt

# The core with the oldest or newest versions of what it uses, and the newest test tools.
CORE = $(addprefix tests/,animation blending retargeting model gltf motion tomlfile loading images scene curves)
TEST_TOOLS = pytest pytest-timeout pytest-xdist hypothesis scipy PyYAML

oldest: RESOLUTION := lowest-direct
newest: RESOLUTION := highest
oldest newest: $(UV)
	@mkdir -p build/$@
	$(UV) pip compile --quiet --resolution $(RESOLUTION) --upgrade --python $(PYTHON) \
	  --extra video --extra compressed --extra farm pyproject.toml -o build/$@/versions.txt
	$(UV) venv --quiet --clear --python $(PYTHON) build/$@/venv
	$(UV) pip install --quiet --compile-bytecode --python build/$@/venv/bin/python -r build/$@/versions.txt $(TEST_TOOLS)
	$(UV) pip install --quiet --python build/$@/venv/bin/python --no-deps --editable .
	OPENBLAS_NUM_THREADS=1 build/$@/venv/bin/python -m pytest -n $(WORKERS) $(CORE)

# bpy is for one version of Python, and needs another numpy than ours. It is under the GPL.
BPY := bpy==4.5.15

blender:
	@mkdir -p build
	@test -x build/blender/bin/python || python3.11 -m venv build/blender
	build/blender/bin/python -m pip install --quiet --disable-pip-version-check '$(BPY)'
	@echo "Use it with --blender build/blender, or RIGVIEW_BLENDER=build/blender"

faults:
	@.ci/setup test
	OPENBLAS_NUM_THREADS=1 $(PY) -m tests.tools.write_faults

# The same SEED gives the same sequence; MODELS is a folder of files that are mutated too.
SECONDS := 60
SEED := 1
fuzz:
	@.ci/setup test
	OPENBLAS_NUM_THREADS=1 $(PY) -m tests.fuzz.run --seconds $(SECONDS) --seed $(SEED) \
	  $(if $(MODELS),--models $(MODELS))

# Random input for the window, drawn by SEED: ACTIONS at most, for SECONDS at most.
ACTIONS := 20000
monkey:
	@.ci/setup test
	OPENBLAS_NUM_THREADS=1 PYTHONHASHSEED=0 $(PY) -m tests.monkey --seconds $(SECONDS) --seed $(SEED) \
	  --actions $(ACTIONS)

soak:
	@.ci/setup test
	OPENBLAS_NUM_THREADS=1 $(PY) -m tests.tools.soak

docs:
	@.ci/setup run
	$(PY) -m pip install --quiet --disable-pip-version-check $$($(PY) -c '$(PINS)')
	$(PY) -m tests.tools.api_reference
	@echo "The reference lies in $(CURDIR)/build/docs/index.html"

manual:
	@.ci/setup run
	$(PY) hatch_build.py
	man build/shared/share/man/man1/rigview.1

wheel:
	@.ci/setup wheel
	$(PY) -m build --wheel --no-isolation

bundle:
	$(PYTHON) packaging/bundle.py

packages: bundle
	$(PYTHON) packaging/packages.py

clean:
	rm -rf .venv build dist out
