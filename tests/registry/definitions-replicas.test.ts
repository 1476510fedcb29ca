import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/storage/contract.ts'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { eventually } from '../support/eventually.ts'
import { type Etcd, missingEtcd, patientStore, startEtcd } from '../support/stores/etcd.ts'
import { DefinitionsWorld, definition, definitions, object, objects, sized } from './definitions-world.ts'

describe.skipIf(missingEtcd() !== undefined)('definitions on two replicas', () => {
  let etcd: Etcd
  const stores: Store[] = []
  const worlds: DefinitionsWorld[] = []

  beforeAll(async () => {
    etcd = await startEtcd()
    for (let count = 0; count < 2; count++) {
      const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/tenant', ...patientStore })
      stores.push(store)
      worlds.push(await DefinitionsWorld.start({ store }))
    }
  })

  afterAll(async () => {
    for (const world of worlds) await world.remove()
    for (const store of stores) await store.close()
    await etcd.remove()
  })

  it('are served by both', async () => {
    const [first, second] = worlds
    await first?.define(definition('apples', 'Apple', sized))
    await eventually(async () => expect((await second?.ask('GET', objects('apples')))?.status).toBe(200))
    const created = await second?.ask('POST', objects('apples'), object('Apple', 'a', { size: 1 }))
    expect(created?.status).toBe(201)
    expect((await first?.ask('GET', `${objects('apples')}/a`))?.body.spec).toEqual({ size: 1 })
  })

  it('that race for one name do not both get it', async () => {
    const names = ['pears', 'plums', 'limes', 'kiwis']
    const sent = names.map((name, index) =>
      worlds[index % 2]?.ask('POST', definitions, definition(name, 'Fruit', sized)),
    )
    await Promise.all(sent)
    await eventually(async () => {
      const answers = await Promise.all(
        names.map((name) => worlds[0]?.ask('GET', `${definitions}/${name}.example.com`)),
      )
      const given = answers.map((answer) => answer?.body.status.acceptedNames.kind)
      expect(answers.every((answer) => (answer?.body.status.conditions?.length ?? 0) > 0)).toBe(true)
      expect(given.filter((kind) => kind === 'Fruit')).toHaveLength(1)
    })
  })
})
