import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { type Amounts, largestOf } from '../amounts.ts'
import type { Evaluator } from './contract.ts'

const names: ReadonlySet<string> = new Set([
  'count/persistentvolumeclaims',
  'persistentvolumeclaims',
  'requests.storage',
])
const classSuffix = '.storageclass.storage.k8s.io/'
const classNames = [`${classSuffix}requests.storage`, `${classSuffix}persistentvolumeclaims`]

/** Storage claims and their requested size, in total and per class. */
export const claimEvaluator: Evaluator = {
  measures: (name) => names.has(name) || classNames.some((suffix) => name.endsWith(suffix)),
  usage: (object) => {
    const claim = object as PersistentVolumeClaim
    const { storage = '0' } = largestOf([
      storageOf(claim.spec.resources.requests),
      storageOf(claim.status.allocatedResources),
    ])
    const className = classOf(claim)
    return {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': storage,
      ...(className === '' ? {} : ofClass(className, storage)),
    }
  },
  grows: true,
}

function storageOf({ storage }: Amounts = {}): Amounts {
  return storage === undefined ? {} : { storage }
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? ''
}

function ofClass(name: string, storage: string | number): Amounts {
  return {
    [`${name}${classSuffix}requests.storage`]: storage,
    [`${name}${classSuffix}persistentvolumeclaims`]: '1',
  }
}
