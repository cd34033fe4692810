"""Small vector operations that numba does not form by itself, written as generic LLVM vectors.

They lower to SSE2, AVX or NEON alike and use no approximate instruction, so that results are the same everywhere.
Addresses are integers (``array.ctypes.data`` plus bytes); callers guarantee that they lie inside their arrays.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as _untyped_cgutils
from numba.extending import intrinsic

cgutils: Any = _untyped_cgutils
_types: Any = types
_PAIR = _types.UniTuple(types.uint64, 2)
_I8, _I16, _I32, _I64, _F32 = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64), ir.FloatType()
_FOUR_I32, _FOUR_F32 = ir.VectorType(_I32, 4), ir.VectorType(_F32, 4)
_EIGHT_I16, _EIGHT_I32, _BYTES = ir.VectorType(_I16, 8), ir.VectorType(_I32, 8), ir.VectorType(_I8, 16)
_U_WHOLE, _V_WHOLE = 16, 48


def _splat(builder: Any, value: Any, vector: Any) -> Any:
    """``value`` in every lane of a vector of type ``vector``."""
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(_I32, 0))
    lanes = ir.Constant(ir.VectorType(_I32, vector.count), [0] * vector.count)
    return builder.shuffle_vector(first, undefined, lanes)


def _constant(vector: Any, value: int) -> Any:
    return ir.Constant(vector, [value] * vector.count)


def _constant64(value: int) -> Any:
    return ir.Constant(_I64, value)


def _load(builder: Any, address: Any, kind: Any, align: int = 4) -> Any:
    loaded = builder.load(builder.inttoptr(address, kind.as_pointer()))
    loaded.align = align
    return loaded


def _store(builder: Any, value: Any, address: Any, align: int = 4) -> None:
    stored = builder.store(value, builder.inttoptr(address, value.type.as_pointer()))
    stored.align = align


def _weight_table(builder: Any, name: str, lanes_of: Callable[[int], list[int]]) -> Any:
    """A constant table of 16 vectors of eight weights; the address of its first byte."""
    row = ir.ArrayType(_I16, 8)
    table = ir.Constant(ir.ArrayType(row, 16), [ir.Constant(row, lanes_of(part)) for part in range(16)])
    variable = cgutils.global_constant(builder.module, name, table)
    variable.align = 16
    return builder.ptrtoint(variable, _I64)


def _weights(builder: Any, table: Any, place: Any, bit: int) -> Any:
    """The row of a weight table for the four bits below ``bit`` of a packed place."""
    offset = builder.and_(builder.lshr(place, _constant64(bit - 8)), _constant64(0xF0))
    return _load(builder, builder.add(table, offset), _EIGHT_I16, 16)


def _texel(builder: Any, texels: Any, stride: Any, masks: Any, place: Any) -> Any:
    """Address of the upper left texel at a packed place."""
    column = builder.and_(builder.lshr(place, _constant64(_U_WHOLE)), masks[0])
    row = builder.and_(builder.lshr(place, _constant64(_V_WHOLE)), masks[1])
    return builder.add(builder.add(texels, builder.mul(row, stride)), builder.shl(column, _constant64(2)))


def _blend(builder: Any, texel: Any, stride: Any, across: Any, down: Any, bright: Any) -> Any:
    """Colour (int32) of the 2x2 texels at an address, weighted and dimmed.

    Two RGBA pairs are eight 16-bit lanes; weights are sixteenths, brightness is in 1 / 65536. No step exceeds 16 bits.
    """
    upper, lower = (
        builder.zext(builder.bitcast(_load(builder, row, _I64), ir.VectorType(_I8, 8)), _EIGHT_I16)
        for row in (texel, builder.add(texel, stride))
    )
    column = builder.add(builder.shl(upper, _constant(_EIGHT_I16, 4)), builder.mul(builder.sub(lower, upper), down))
    weighted = builder.mul(column, across)
    undefined = ir.Constant(_EIGHT_I16, ir.Undefined)
    right = builder.shuffle_vector(weighted, undefined, ir.Constant(_EIGHT_I32, [4, 5, 6, 7, 4, 5, 6, 7]))
    product = builder.mul(*(builder.zext(factor, _EIGHT_I32) for factor in (builder.add(weighted, right), bright)))
    dimmed = builder.trunc(builder.lshr(product, _constant(_EIGHT_I32, 16)), _EIGHT_I16)
    upper_bytes = ir.Constant(_FOUR_I32, [1, 3, 5, 7])
    color = builder.shuffle_vector(builder.bitcast(dimmed, _BYTES), ir.Constant(_BYTES, ir.Undefined), upper_bytes)
    return builder.bitcast(color, _I32)


def _paint(
    _typing: Any, _target: Any, _texels: Any, _stride: Any, _masks: Any, _start: Any, _step: Any, _count: Any
) -> Any:
    """Colour ``count`` pixels of a row from a texture by bilinear reads.

    Arguments:
        target: Address of the first pixel's three bytes; each store also touches the byte behind the pixel.
        texels: Address of the texture level.
        stride: Bytes from one row of texels to the next.
        masks: Greatest column and row (u, v).
        start: Place at the first pixel, and its brightness 0..65535. A place is v in the upper and u in the lower
            half of 64 bits, both 16.16.
        step: What each pixel adds to them.
        count: Number of pixels.
    """
    pair = _PAIR
    signature = types.void(types.uint64, types.uint64, types.uint64, pair, pair, pair, types.uint64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        target, texels, stride, masks, start, step, count = arguments
        across = _weight_table(builder, ".siturec_across", lambda part: [16 - part] * 4 + [part] * 4)
        down = _weight_table(builder, ".siturec_down", lambda part: [part] * 8)
        masks, start, step = (cgutils.unpack_tuple(builder, packed) for packed in (masks, start, step))
        bright, bright_step = (_splat(builder, builder.trunc(packed[1], _I16), _EIGHT_I16) for packed in (start, step))
        target, place, bright = (cgutils.alloca_once_value(builder, value) for value in (target, start[0], bright))
        with cgutils.for_range(builder, count):
            here, at, shade = builder.load(place), builder.load(target), builder.load(bright)
            texel = _texel(builder, texels, stride, masks, here)
            weights = _weights(builder, across, here, _U_WHOLE), _weights(builder, down, here, _V_WHOLE)
            _store(builder, _blend(builder, texel, stride, *weights, shade), at, 1)
            builder.store(builder.add(at, _constant64(3)), target)
            builder.store(builder.add(here, step[0]), place)
            builder.store(builder.add(shade, bright_step), bright)
        return context.get_dummy_value()

    return signature, generate


def _nearer_four(_typing: Any, _depths: Any, _records: Any, _base: Any, _slope: Any, _x: Any, _record: Any) -> Any:
    """Depth test of four neighbouring pixels.

    Arguments: addresses of four float32 inverse depths and four int32 records (uint64), inverse depth at x = 0, its
    slope, x of the first pixel (float32), record number (int32). Where base + slope x exceeds what is stored, both
    are replaced.
    """
    signature = types.void(types.uint64, types.uint64, types.float32, types.float32, types.float32, types.int32)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        depths, records, base, slope, x, record = arguments
        steps = ir.Constant(_FOUR_F32, [0.0, 1.0, 2.0, 3.0])
        xs = builder.fadd(_splat(builder, x, _FOUR_F32), steps)
        rise = builder.fmul(_splat(builder, slope, _FOUR_F32), xs)
        candidate = builder.fadd(_splat(builder, base, _FOUR_F32), rise)
        stored = _load(builder, depths, _FOUR_F32)
        nearer = builder.fcmp_ordered(">", candidate, stored)
        some = builder.icmp_unsigned("!=", builder.bitcast(nearer, ir.IntType(4)), ir.Constant(ir.IntType(4), 0))
        with builder.if_then(some):
            previous = _load(builder, records, _FOUR_I32)
            _store(builder, builder.select(nearer, candidate, stored), depths)
            _store(builder, builder.select(nearer, _splat(builder, record, _FOUR_I32), previous), records)
        return context.get_dummy_value()

    return signature, generate


def _nearer_one(_typing: Any, _depths: Any, _records: Any, _base: Any, _slope: Any, _x: Any, _record: Any) -> Any:
    """``nearer_four`` for a single pixel, with the same rounding."""
    signature = types.void(types.uint64, types.uint64, types.float32, types.float32, types.float32, types.int32)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        depths, records, base, slope, x, record = arguments
        candidate = builder.fadd(base, builder.fmul(slope, x))
        nearer = builder.fcmp_ordered(">", candidate, _load(builder, depths, _F32))
        with builder.if_then(nearer):
            _store(builder, candidate, depths)
            _store(builder, record, records)
        return context.get_dummy_value()

    return signature, generate


def _all_four_equal(_typing: Any, _address: Any, _value: Any) -> Any:
    """Whether four int32 at an address (uint64) all equal a value (int32)."""
    signature = types.boolean(types.uint64, types.int32)

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address, value = arguments
        other = builder.icmp_unsigned("!=", _load(builder, address, _FOUR_I32), _splat(builder, value, _FOUR_I32))
        return builder.icmp_unsigned("==", builder.bitcast(other, ir.IntType(4)), ir.Constant(ir.IntType(4), 0))

    return signature, generate


paint: Callable[..., Any] = intrinsic(_paint)
nearer_four: Callable[..., Any] = intrinsic(_nearer_four)
nearer_one: Callable[..., Any] = intrinsic(_nearer_one)
all_four_equal: Callable[..., Any] = intrinsic(_all_four_equal)
