import { expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { eachKubectl } from './suite.ts'

const group = 'shop.example.com'
const spec = {
  type: 'object',
  description: 'What the shop is like.',
  required: ['size'],
  properties: {
    size: { type: 'integer', description: 'How large it is.' },
    opens: { type: 'string', format: 'date-time', description: 'When it opens.' },
    closed: { type: 'string', nullable: true, description: 'Why it is closed.' },
    shelves: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string', description: 'Its name.' } } },
    },
    port: { 'x-kubernetes-int-or-string': true },
    more: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'string' } } },
  },
}
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `shops.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'shops', singular: 'shop', kind: 'Shop' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
}
const shop = (given: object) => ({ apiVersion: `${group}/v1`, kind: 'Shop', metadata: { name: 'corner' }, spec: given })

eachKubectl(
  'kinds of users',
  (kubectl) => {
    it('are explained and validated as soon as they are defined', async () => {
      expect(await kubectl.pipe(definition, 'apply')).toMatchObject({ code: 0, stderr: '' })
      await kubectl.run(`wait --for=condition=Established crd/shops.${group}`)
      const explained = await kubectl.run('explain shop.spec')
      expect(explained).toMatchObject({ code: 0, stderr: '' })
      expect(explained.stdout).toContain('What the shop is like.')
      expect(explained.stdout).toMatch(/^ +size\t<integer> -required-$/m)
      expect(explained.stdout).toMatch(/^ +opens\t<string>$/m)
      const name = await kubectl.run('explain shop.spec.shelves.name')
      expect([name.code, name.stdout.includes('Its name.')]).toEqual([0, true])

      const open = {
        size: 1,
        closed: null,
        port: 80,
        more: { known: 'a', unknown: { deep: 1 } },
        shelves: [{ name: 'a' }],
      }
      expect(await kubectl.pipe(shop(open), 'apply')).toMatchObject({ code: 0, stderr: '' })
      const [odd, wrong] = await Promise.all([
        kubectl.pipe(shop({ size: 1, sizes: 2 }), 'apply'),
        kubectl.pipe(shop({ size: 'large' }), 'apply'),
      ])
      expect([odd.code, wrong.code]).toEqual([1, 1])
      expect(odd.stderr).toContain('unknown field')
      expect(wrong.stderr).toMatch(/size/)
    })
  },
  builtinKinds(),
)
