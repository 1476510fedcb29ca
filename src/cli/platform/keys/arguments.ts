import { InvalidArgumentError } from 'commander'
import { validateName } from '../../../api/names.ts'
import { durationArgument } from '../../arguments/duration-argument.ts'

/** The lifetime of a key: at least one second. */
export function lifetimeArgument(text: string): number {
  const seconds = durationArgument(text)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('The duration must be more than 0; leave the flag out for a key that does not expire.')
}

/** The name of a key. The output of `-o name` is accepted too. */
export function keyNameArgument(text: string): string {
  const name = text.replace(/^ownedaccesskeys?(?:\.[a-z0-9.-]+)?\//, '')
  const [problem] = validateName('dns-subdomain', name)
  if (problem === undefined) return name
  throw new InvalidArgumentError(`It is not the name of a key: ${problem}.`)
}

export function keyNamesArgument(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, keyNameArgument(text)]
}
