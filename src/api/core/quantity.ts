const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const decimal: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
}
const pattern = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE])?$/

/** The amount that a quantity such as `500m` or `2Gi` stands for, near enough to compare; 0 for what is none. */
export function quantityValue(quantity: string | number): number {
  if (typeof quantity === 'number') return quantity
  const [, digits = '0', exponent = '0', suffix = ''] = pattern.exec(quantity) ?? []
  return Number(digits) * 10 ** Number(exponent) * scaleOf(suffix)
}

function scaleOf(suffix: string): number {
  const power = binary.indexOf(suffix) + 1
  return power > 0 ? 1024 ** power : (decimal[suffix] ?? 1)
}
