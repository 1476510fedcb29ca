/** Numbers with a check digit, and colors. */

export function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, at) => total + (10 - at) * (digit === 'X' ? 10 : Number(digit)), 0)
  return sum % 11 === 0
}

export function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit), 0)
  return sum % 10 === 0
}

/** The prefixes and lengths of the issuers that Kubernetes knows. */
const issuers: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16]],
  [/^5[1-5]/, [16]],
  [/^6(?:011|5)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[68])/, [14]],
  [/^(?:2131|1800)/, [15]],
  [/^35/, [16]],
]

export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '')
  if (!issuers.some(([begin, lengths]) => begin.test(digits) && lengths.includes(digits.length))) return false
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

export function isRgbColor(text: string): boolean {
  const parts = /^rgb\( *(\d{1,3}) *, *(\d{1,3}) *, *(\d{1,3}) *\)$/.exec(text.replace(/[\t\n\f\r]/g, ' '))
  return parts?.slice(1).every((part) => Number(part) <= 255 && String(Number(part)) === part) === true
}
