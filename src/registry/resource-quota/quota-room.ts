import { forbidden } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Engine, Hooks } from '../context.ts'
import { documentsIn } from '../documents-in.ts'

/** All quotas of a namespace are read for each write that they may count. */
const mostQuotas = 100
const mostBytes = 1024 * 1024

/** Limits the number and the size of the ResourceQuotas in a namespace. Existing ones stay. */
export function quotaRoom(kind: Kind, engine: Engine): Hooks {
  const check = ({ metadata: { name = '', namespace = '' } }: KubeObject, addedBytes: number, added: number) => {
    const quotas = engine.find(kind.group, kind.kind)
    const documents = quotas === undefined ? [] : documentsIn(quotas, namespace)
    const bytes = documents.reduce((sum, document) => sum + document.bytes, addedBytes)
    if (documents.length + added > mostQuotas)
      throw forbidden(kind, name, `the namespace has ${documents.length} ResourceQuotas, and ${mostQuotas} is the most`)
    if (bytes > mostBytes)
      throw forbidden(kind, name, `the ResourceQuotas of the namespace may take ${mostBytes} bytes together`)
  }
  return {
    admitCreate: (object) => {
      check(object, sizeOf(object), 1)
      return { object }
    },
    admitUpdate: (object, old) => {
      const more = sizeOf(object) - sizeOf(old.object)
      if (more > 0) check(object, more, 0)
      return { object }
    },
  }
}

function sizeOf(object: KubeObject): number {
  return JSON.stringify(object).length
}
