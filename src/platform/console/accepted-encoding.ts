import type { ConsoleFile, Encoding } from './console-files.ts'

const preferred: readonly Encoding[] = ['br', 'gzip']

/** The smallest form that the browser takes; undefined for the plain one. */
export function acceptedEncoding(header: string | undefined, { compressed }: ConsoleFile): Encoding | undefined {
  const accepted = (header ?? '').split(',').map(readClause)
  return preferred.find((encoding) => compressed.has(encoding) && accepted.some((clause) => takes(clause, encoding)))
}

interface Clause {
  readonly name: string
  readonly isRefused: boolean
}

function readClause(text: string): Clause {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { name, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}

function takes({ name, isRefused }: Clause, encoding: Encoding): boolean {
  return name === encoding && !isRefused
}
