import type { CounterExample, RoundTripVerdict } from './verdict.ts'

const longest = 80

/** The verdict in one line. */
export function verdictText(verdict: RoundTripVerdict): string {
  switch (verdict.verdict) {
    case 'cancels':
      return `cancels out (${verdict.samples} sample values)`
    case 'counter-example':
      return `does not cancel out: ${counterExampleText(verdict.counterExample)}`
    case 'not-checkable':
      return `not checked: ${verdict.reason}`
  }
}

export function counterExampleText({ value, sent, returned, message }: CounterExample): string {
  if (sent === undefined) return `${shown(value)} is removed on the host, so it cannot come back`
  const there = `${shown(value)} is ${shown(sent)} on the host`
  if (message !== undefined) return `${there}, and reverseExpression fails on it: ${message}`
  return returned === undefined
    ? `${there}, and is removed on the way back`
    : `${there}, and comes back as ${shown(returned)}`
}

/** As JSON, short and on one line. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
