"""Array type aliases; shapes, units and spaces are documented where an array is declared."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

F16 = NDArray[np.float16]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
U32 = NDArray[np.uint32]
Bool = NDArray[np.bool_]
Index = NDArray[np.intp]
Floats = TypeVar("Floats", F32, F64)
