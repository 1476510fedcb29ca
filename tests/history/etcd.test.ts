import { describe } from 'vitest'
import { missingEtcd } from '../support/stores/etcd.ts'
import { itAnswersAsOneStoreOfRevisions } from './rounds.ts'

const withoutEtcd = missingEtcd()

describe.skipIf(withoutEtcd)(
  `while servers, connections and etcd fail, two servers on one etcd answer${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    itAnswersAsOneStoreOfRevisions('etcd')
  },
)
