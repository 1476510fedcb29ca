import { beforeAll, describe, expect, it } from 'vitest'
import { type Collection, configMaps, endpoints, oneAddress, secrets, services } from '../support/objects.ts'
import { soon } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const all = { sync: { toHost: { configMaps: { all: true }, secrets: { all: true } } } }
/** The maximum length of a readable name on the host. */
const readable = 47

function ofLength(length: number, unit = 'name-'): string {
  const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1)
  return `${text}z`
}

const cases: readonly { readonly kind: Collection; readonly fields: object; readonly names: readonly string[] }[] = [
  {
    kind: endpoints,
    fields: { subsets: oneAddress('10.0.0.1') },
    names: [1, readable - 1, readable, readable + 1, 62, 63, 64, 252, 253].map((length) => ofLength(length)),
  },
  {
    kind: configMaps,
    fields: { data: { a: '1' } },
    names: [
      'a.b',
      'a-b',
      'a.b.c',
      ofLength(253, 'dotted.'),
      `${ofLength(readable)}.one`,
      `${ofLength(readable)}.two`,
      '0',
    ],
  },
  { kind: secrets, fields: { data: { a: 'MQ==' } }, names: [ofLength(253), ofLength(253, 'dotted.'), '1st'] },
  {
    kind: services,
    fields: { spec: { ports: [{ port: 80 }] } },
    names: ['s', ofLength(readable), ofLength(62), ofLength(63)],
  },
]

export function names(stage: () => Stage): void {
  describe('names at every length limit', () => {
    let tenant: Tenant

    beforeAll(async () => {
      const hostNamespace = ofLength(63 - 30, 'host-') + process.hrtime.bigint().toString(36)
      await stage().host.ensureNamespace(hostNamespace)
      tenant = await stage().newTenant({ name: ofLength(40, 'tenant-'), hostNamespace, config: all })
    })

    it.each([
      ['short', 20],
      ['as long as can be', 63],
    ] as const)('in a namespace whose name is %s, each object has its own copy', async (_, length) => {
      const namespace = await stage().newNamespace(ofLength(length, `ns${process.hrtime.bigint().toString(36)}-`))
      const created = cases.flatMap(({ kind, fields, names: list }) => list.map((name) => ({ kind, fields, name })))
      for (const { kind, fields, name } of created) {
        await stage().virtual.create(kind, { metadata: { namespace, name }, ...fields })
      }
      for (const { kind, fields, name } of created) {
        await soon(async () => {
          const copy = await tenant.copy(kind, namespace, name)
          expect(copy).toMatchObject(fields)
          expect(copy.metadata.name.length).toBeLessThanOrEqual(63)
          expect(copy.metadata.annotations?.['tenant.internal/object-name']).toBe(name)
        })
      }
      const copies = created.map(({ kind, name }) => `${kind.kind} ${tenant.hostName(namespace, name)}`)
      expect(new Set(copies).size).toBe(created.length)
    })
  })
}
