import { InvalidArgumentError } from 'commander'
import { validateName } from '../../../api/names.ts'
import { durationArgument } from '../../arguments/duration-argument.ts'

/** How long a key lives: at least a second. */
export function lifetimeArgument(text: string): number {
  const seconds = durationArgument(text)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('The duration must be more than 0; leave the flag out for a key that does not expire.')
}

/** A key by its name. What `-o name` prints is understood too. */
export function keyNameArgument(text: string): string {
  const name = text.replace(/^ownedaccesskeys?(?:\.[a-z0-9.-]+)?\//, '')
  const [problem] = validateName('dns-subdomain', name)
  if (problem === undefined) return name
  throw new InvalidArgumentError(`It is not the name of a key: ${problem}.`)
}

export function keyNamesArgument(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, keyNameArgument(text)]
}
