import { expect, test } from 'vitest'
import { messageNames } from '../../src/api/facts/messages.ts'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { packageOf, printKinds, printPackage } from './print-types.ts'

/** Packages whose messages are all written by hand, or are not objects in JSON. */
const without = new Set(['api-resource', 'pkg-runtime', 'util-intstr'])

test.each([...byPackage()].filter(([name]) => !without.has(name)))(
  'the types of %s match its table',
  async (name, messages) => {
    await expect(printPackage(messages)).toMatchFileSnapshot(`../../src/api/types/${name}.ts`)
  },
)

test('the types of the kinds of the platform are those of their schemas', async () => {
  const printed = printKinds(managementKinds('platform.internal'))
  await expect(printed).toMatchFileSnapshot('../../src/api/types/management.ts')
})

function byPackage(): ReadonlyMap<string, readonly string[]> {
  const packages = new Map<string, string[]>()
  for (const message of messageNames().filter((name) => !name.endsWith('List'))) {
    const name = packageOf(message)
    packages.set(name, [...(packages.get(name) ?? []), message])
  }
  return packages
}
