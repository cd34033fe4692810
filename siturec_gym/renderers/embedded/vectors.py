"""Small vector operations that numba does not form by itself, written as generic LLVM vectors.

They lower to SSE2, AVX or NEON alike and use no approximate instruction, so that results are the same everywhere.
Addresses are integers (``array.ctypes.data`` plus bytes); callers guarantee that they lie inside their arrays.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_I8, _I16, _I32, _I64, _F32 = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64), ir.FloatType()
_FOUR_I32, _FOUR_F32 = ir.VectorType(_I32, 4), ir.VectorType(_F32, 4)
_EIGHT_I16 = ir.VectorType(_I16, 8)


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


def _weights(builder: Any, table: Any, fixed: Any) -> Any:
    """The row of a weight table for the upper four bits of the fraction of a 16.16 number."""
    offset = builder.and_(builder.lshr(fixed, _constant64(8)), _constant64(0xF0))
    return _load(builder, builder.add(table, offset), _EIGHT_I16, 16)


def _whole(builder: Any, fixed: Any, mask: Any) -> Any:
    """The whole part of a 16.16 number, wrapped by a mask."""
    return builder.and_(builder.lshr(fixed, _constant64(16)), mask)


def _blend(builder: Any, texel: Any, stride: Any, across: Any, down: Any, shade: Any) -> Any:
    """Colour (int32) of the 2x2 texels at an address, weighted and shaded.

    Two RGBA pairs are eight 16-bit lanes; weights are sixteenths, shade is brightness in 1 / 65536. No step exceeds
    16 bits.
    """
    upper, lower = (
        builder.zext(builder.bitcast(_load(builder, row, _I64), ir.VectorType(_I8, 8)), _EIGHT_I16)
        for row in (texel, builder.add(texel, stride))
    )
    column = builder.add(
        builder.shl(upper, _constant(_EIGHT_I16, 4)), builder.mul(builder.sub(lower, upper), down)
    )
    weighted = builder.mul(column, across)
    undefined = ir.Constant(_EIGHT_I16, ir.Undefined)
    left, right = (
        builder.shuffle_vector(weighted, undefined, ir.Constant(_FOUR_I32, lanes))
        for lanes in ([0, 1, 2, 3], [4, 5, 6, 7])
    )
    color = builder.zext(builder.add(left, right), _FOUR_I32)
    shaded = builder.lshr(builder.mul(color, builder.zext(shade, _FOUR_I32)), _constant(_FOUR_I32, 24))
    return builder.bitcast(builder.trunc(shaded, ir.VectorType(_I8, 4)), _I32)


def _paint(
    _typing: Any, _target: Any, _texels: Any, _stride: Any, _masks: Any, _start: Any, _step: Any, _count: Any
) -> Any:
    """Colour ``count`` pixels of a row from a texture by bilinear reads.

    Arguments:
        target: Address of the first pixel's three bytes; each store also touches the byte behind the pixel.
        texels: Address of the texture level.
        stride: Bytes from one row of texels to the next.
        masks: Greatest column and row (u, v).
        start: u, v and brightness at the first pixel, 16.16; brightness up to 65535.
        step: What each pixel adds to them.
        count: Number of pixels.
    """
    pair, triple = types.UniTuple(types.uint64, 2), types.UniTuple(types.uint64, 3)
    signature = types.void(types.uint64, types.uint64, types.uint64, pair, triple, triple, types.uint64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        target, texels, stride, masks, start, step, count = arguments
        across = _weight_table(builder, ".siturec_across", lambda part: [16 - part] * 4 + [part] * 4)
        down = _weight_table(builder, ".siturec_down", lambda part: [part] * 8)
        masks, start, step = (cgutils.unpack_tuple(builder, packed) for packed in (masks, start, step))
        four = ir.VectorType(_I16, 4)
        step_shade = _splat(builder, builder.trunc(step[2], _I16), four)
        at, u, v = (cgutils.alloca_once_value(builder, value) for value in (target, start[0], start[1]))
        shade = cgutils.alloca_once_value(builder, _splat(builder, builder.trunc(start[2], _I16), four))
        with cgutils.for_range(builder, count):
            here_u, here_v = builder.load(u), builder.load(v)
            row = builder.mul(_whole(builder, here_v, masks[1]), stride)
            column = builder.shl(_whole(builder, here_u, masks[0]), _constant64(2))
            texel = builder.add(builder.add(texels, row), column)
            weights = _weights(builder, across, here_u), _weights(builder, down, here_v)
            color = _blend(builder, texel, stride, *weights, builder.load(shade))
            _store(builder, color, builder.load(at), 1)
            builder.store(builder.add(builder.load(at), _constant64(3)), at)
            builder.store(builder.add(here_u, step[0]), u)
            builder.store(builder.add(here_v, step[1]), v)
            builder.store(builder.add(builder.load(shade), step_shade), shade)
        return context.get_dummy_value()

    return signature, generate


def _nearer_four(
    _typing: Any, _depths: Any, _records: Any, _base: Any, _slope: Any, _x: Any, _record: Any
) -> Any:
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
