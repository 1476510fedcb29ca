import { InvalidArgumentError } from 'commander'
import { validateSubdomain } from '../../api/names.ts'

/** `--domain`: it becomes part of the name of an API group. */
export function domainArgument(text: string): string {
  const [problem] = validateSubdomain(text)
  if (problem === undefined) return text
  throw new InvalidArgumentError(`It is not a domain: ${problem}.`)
}
