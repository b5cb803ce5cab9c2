// Start the player of a page that shows one character, or two versions of it.

async function start() {
  const root = document.querySelector(".player");
  const data = document.getElementById("character");
  try {
    const player = new Player(root, await unpack(data.textContent));
    await player.load();
    data.remove();
    const controls = new Controls(player);
    root.classList.add("ready");
    controls.follow(location.hash);
    addEventListener("hashchange", () => controls.follow(location.hash));
    if (!controls.calm.matches && !location.hash && !player.manifest.compare) player.play(true);
    window.rigview = { player, controls };
  } catch (error) {
    root.classList.add("failed");
    root.querySelector(".status").textContent = `The picture does not move: ${error.message}`;
  }
}

document.addEventListener("DOMContentLoaded", start);
