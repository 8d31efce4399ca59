import * as fc from 'fast-check';
import { type Matrix, multiply, multiplyTransposed, transposedMultiply, zeros } from '../../vision/matrix';

const size = fc.integer({ min: 1, max: 9 });

/** A matrix of small whole numbers, whose products are exact. */
function matrix(rows: number, cols: number, seed: number): Matrix {
  const values = Float32Array.from({ length: rows * cols }, (_, i) => ((i * 7919 + seed * 104729) % 23) - 11);
  return { rows, cols, values };
}

function at({ cols, values }: Matrix, row: number, col: number): number {
  return values[row * cols + col]!;
}

function expectEach(out: Matrix, value: (row: number, col: number) => number): void {
  const expected = Array.from({ length: out.rows * out.cols }, (_, i) => value(Math.floor(i / out.cols), i % out.cols));
  expect([...out.values]).toEqual(expected.map((sum) => sum + 0));
}

function sum(count: number, term: (i: number) => number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += term(i);
  return total;
}

test('a times b transposed plus bias is right for every size, whatever the tiles leave over', () => {
  void fc.assert(
    fc.property(size, size, size, (m, n, k) => {
      const a = matrix(m, k, 1);
      const b = matrix(n, k, 2);
      const bias = matrix(1, n, 3).values;
      const out = zeros(m, n);
      multiplyTransposed(a, b, bias, out);
      expectEach(out, (i, j) => bias[j]! + sum(k, (p) => at(a, i, p) * at(b, j, p)));
    }),
  );
});

test('a transposed times b is right for every size', () => {
  void fc.assert(
    fc.property(size, size, size, (m, n, k) => {
      const a = matrix(m, n, 1);
      const b = matrix(m, k, 2);
      const out = zeros(n, k);
      transposedMultiply(a, b, out);
      expectEach(out, (j, p) => sum(m, (i) => at(a, i, j) * at(b, i, p)));
    }),
  );
});

test('a times b is right for every size, also into a buffer that was used before', () => {
  void fc.assert(
    fc.property(size, size, size, (m, n, k) => {
      const a = matrix(m, n, 1);
      const b = matrix(n, k, 2);
      const out = matrix(m, k, 9);
      multiply(a, b, out);
      expectEach(out, (i, p) => sum(n, (j) => at(a, i, j) * at(b, j, p)));
    }),
  );
});
