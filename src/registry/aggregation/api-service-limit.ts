import { forbidden } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { APIService } from '../../api/types/apiregistration-v1.ts'
import type { Engine, Hooks } from '../context.ts'

/** Each server is polled every half minute, and shown to every discovery client. */
const mostServers = 100

/** Limits how many APIServices may name users' servers. APIServices for this server itself name none. */
export function apiServiceLimit(kind: Kind, engine: Engine): Hooks {
  const check = (object: KubeObject, old?: KubeObject) => {
    if (!namesServer(object) || (old !== undefined && namesServer(old))) return
    const documents = [...(engine.find(kind.group, kind.kind)?.cache.current().values() ?? [])]
    if (documents.filter((document) => namesServer(document.object)).length < mostServers) return
    const problem = `there are ${mostServers} APIServices with a service already: delete those that are no longer needed`
    throw forbidden(kind, object.metadata.name ?? '', problem)
  }
  return {
    admitCreate: (object) => {
      check(object)
      return { object }
    },
    admitUpdate: (object, { object: old }) => {
      check(object, old)
      return { object }
    },
  }
}

function namesServer(object: KubeObject): boolean {
  return (object as APIService).spec.service !== undefined
}
