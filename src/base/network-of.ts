/** One machine has as many IPv6 addresses as it likes in its network of 64 bits, and one customer of a provider in 48. */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(8 - start.length - end.length, 0)).fill('0')
  return `${[...start, ...zeros, ...end].slice(0, bits / 16).join(':')}::/${bits}`
}
