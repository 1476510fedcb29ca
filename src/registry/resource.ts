import type { Kind } from '../api/kind.ts'
import { Cache } from './cache.ts'
import type { Engine, Hooks, ResourceContext } from './context.ts'
import type { Resource } from './contract.ts'
import { SnapshotKeeper } from './snapshots.ts'
import { refusingWhenUnavailable } from './unavailable.ts'
import { createObject } from './verbs/create.ts'
import { deleteObject } from './verbs/delete.ts'
import { deleteCollection } from './verbs/delete-collection.ts'
import { getObject } from './verbs/get.ts'
import { listObjects } from './verbs/list.ts'
import { patchObject } from './verbs/patch.ts'
import { settledAnswer } from './verbs/settled-answer.ts'
import { updateObject } from './verbs/update.ts'
import { watchObjects } from './verbs/watch.ts'
import { WatchHub } from './watch/hub.ts'

export function resourceContext(kind: Kind, engine: Engine, hooks: Hooks): ResourceContext {
  const cache = new Cache(kind, engine.store, engine.report)
  const hub = new WatchHub(cache, () => engine.feed.revision, engine.beginnings)
  return { kind, engine, cache, hub, snapshots: new SnapshotKeeper(cache), hooks }
}

/** The verbs, bound to one kind. */
export function resourceOf(context: ResourceContext): Resource {
  return {
    kind: context.kind,
    create: (target, body, request) =>
      refusingWhenUnavailable(settledAnswer(context, request, createObject(context, target, body, request))),
    get: (target, options) => {
      const document = getObject(context, target, options)
      return document instanceof Promise ? refusingWhenUnavailable(document) : document
    },
    list: (target, options) => refusingWhenUnavailable(listObjects(context, target, options)),
    watch: (target, options, sink) => refusingWhenUnavailable(watchObjects(context, target, options, sink)),
    update: (target, body, request) =>
      refusingWhenUnavailable(settledAnswer(context, request, updateObject(context, target, body, request))),
    patch: (target, patch, request) =>
      refusingWhenUnavailable(settledAnswer(context, request, patchObject(context, target, patch, request))),
    delete: (target, options, request) => refusingWhenUnavailable(deleteObject(context, target, options, request)),
    deleteCollection: (target, selection, options, request) =>
      refusingWhenUnavailable(deleteCollection(context, target, selection, options, request)),
  }
}
