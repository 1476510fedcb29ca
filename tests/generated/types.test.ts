import { expect, test } from 'vitest'
import { messageNames } from '../../src/api/facts/messages.ts'
import { packageOf, printPackage } from './print-types.ts'

/** Those whose messages are all written by hand, or no object in JSON. */
const without = new Set(['api-resource', 'pkg-runtime', 'util-intstr'])

test.each([...byPackage()].filter(([name]) => !without.has(name)))(
  'the types of %s are those of its table',
  async (name, messages) => {
    await expect(printPackage(messages)).toMatchFileSnapshot(`../../src/api/types/${name}.ts`)
  },
)

function byPackage(): ReadonlyMap<string, readonly string[]> {
  const packages = new Map<string, string[]>()
  for (const message of messageNames().filter((name) => !name.endsWith('List'))) {
    const name = packageOf(message)
    packages.set(name, [...(packages.get(name) ?? []), message])
  }
  return packages
}
