import { InvalidArgumentError, Option } from 'commander'
import { validateSubdomain } from '../../api/names.ts'

/** It becomes part of the name of an API group. */
export function domainOption(): Option {
  return new Option('--domain <domain>', 'the platform domain; the API group is management.<domain>')
    .argParser((text: string) => {
      const [problem] = validateSubdomain(text)
      if (problem === undefined) return text
      throw new InvalidArgumentError(`It is not a domain: ${problem}.`)
    })
    .default('platform.internal')
}
