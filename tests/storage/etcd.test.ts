import { afterAll, beforeAll, describe } from 'vitest'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { type Etcd, missingEtcd, patientStore, startEtcd } from '../support/stores/etcd.ts'
import { describeStore } from './conformance.ts'

const missing = missingEtcd()

describe.skipIf(missing !== undefined)(`with etcd${missing === undefined ? '' : `: ${missing}`}`, () => {
  let etcd: Etcd
  let stores = 0
  beforeAll(async () => {
    etcd = await startEtcd()
  })
  afterAll(() => etcd?.remove())

  describeStore('etcd store', async () => {
    stores += 1
    const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: `/test-${stores}`, ...patientStore })
    return { store, remove: () => store.close() }
  })
})
