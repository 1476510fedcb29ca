import { afterEach, beforeEach, expect, it } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { systemRandom } from '../../src/base/random.ts'
import { defaultServiceNetwork, ServiceAllocator } from '../../src/registry/allocation/service-allocator.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'
import { serviceNamed } from './quota-world.ts'

let world: TestRegistry

beforeEach(async () => {
  world = await startRegistry(coreKinds(), {
    hooks: ({ kind }, store) =>
      kind === 'Service' ? new ServiceAllocator(store, systemRandom, defaultServiceNetwork).hooks() : {},
  })
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
})

afterEach(() => world.stop())

it('a node port and a cluster IP are free as soon as the deletion of their Service is acknowledged', async () => {
  const services = world.resource('services')
  const spec = { type: 'NodePort', clusterIP: '10.96.7.7', ports: [{ port: 80, nodePort: 30_777 }] }
  for (const name of ['a', 'b', 'c']) {
    const { document } = await services.create(
      { namespace: 'default' },
      bodyOf(serviceNamed(name, spec)),
      writeRequest(),
    )
    expect(document.object.spec).toMatchObject(spec)
    await services.delete({ namespace: 'default', name }, { dryRun: false }, writeRequest())
  }
})
