"""Small vector operations that numba does not form by itself, written as generic LLVM vectors.

They lower to SSE2, AVX or NEON alike and use no approximate instruction, so that results are the same everywhere.
Addresses are integers (``array.ctypes.data`` plus bytes); callers guarantee that they lie inside their arrays.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
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


def _load(builder: Any, address: Any, kind: Any) -> Any:
    loaded = builder.load(builder.inttoptr(address, kind.as_pointer()))
    loaded.align = 4
    return loaded


def _store(builder: Any, value: Any, address: Any) -> None:
    stored = builder.store(value, builder.inttoptr(address, value.type.as_pointer()))
    stored.align = 4


def _bilinear(_typing: Any, _upper: Any, _lower: Any, _across: Any, _down: Any, _shade: Any) -> Any:
    """Blend the 2x2 texels at two row addresses and scale the colour.

    Arguments, all uint64: address of the upper pair, of the lower pair, weight of the right column 0..15, weight of
    the lower row 0..15, brightness 0..256. Two RGBA pairs are eight 16-bit lanes; no step exceeds 16 bits.
    """
    signature = types.uint32(*[types.uint64] * 5)

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        upper, lower, across, down, shade = arguments
        pairs = [
            builder.zext(builder.bitcast(_load(builder, row, _I64), ir.VectorType(_I8, 8)), _EIGHT_I16)
            for row in (upper, lower)
        ]
        down_lanes = _splat(builder, builder.trunc(down, _I16), _EIGHT_I16)
        upper16 = builder.shl(pairs[0], _constant(_EIGHT_I16, 4))
        column = builder.add(upper16, builder.mul(builder.sub(pairs[1], pairs[0]), down_lanes))
        right = builder.trunc(across, _I16)
        left = builder.sub(ir.Constant(_I16, 16), right)
        sides = ir.Constant(ir.VectorType(_I32, 8), [0, 0, 0, 0, 8, 8, 8, 8])
        weights = builder.shuffle_vector(
            builder.insert_element(ir.Constant(_EIGHT_I16, ir.Undefined), left, ir.Constant(_I32, 0)),
            builder.insert_element(ir.Constant(_EIGHT_I16, ir.Undefined), right, ir.Constant(_I32, 0)),
            sides,
        )
        weighted = builder.mul(column, weights)
        undefined = ir.Constant(_EIGHT_I16, ir.Undefined)
        halves = [
            builder.shuffle_vector(weighted, undefined, ir.Constant(_FOUR_I32, lanes))
            for lanes in ([0, 1, 2, 3], [4, 5, 6, 7])
        ]
        eight = _constant(halves[0].type, 8)
        color = builder.lshr(builder.add(*halves), eight)
        bright = builder.mul(color, _splat(builder, builder.trunc(shade, _I16), color.type))
        return builder.bitcast(builder.trunc(builder.lshr(bright, eight), ir.VectorType(_I8, 4)), _I32)

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


bilinear: Callable[..., Any] = intrinsic(_bilinear)
nearer_four: Callable[..., Any] = intrinsic(_nearer_four)
nearer_one: Callable[..., Any] = intrinsic(_nearer_one)
all_four_equal: Callable[..., Any] = intrinsic(_all_four_equal)
