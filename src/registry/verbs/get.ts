import { notFound } from '../../api/error.ts'
import type { ResourceContext } from '../context.ts'
import type { Document, GetOptions, NamedTarget } from '../contract.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp, notOlderThan } from '../freshness.ts'
import { ifVisible, visibilityFor } from '../visibility.ts'
import { parseResourceVersion } from './read-options.ts'

/** Synchronous if the cache is known to be current, which is usual where no other process writes. */
export function getObject(
  context: ResourceContext,
  target: NamedTarget,
  options: GetOptions,
): Document | Promise<Document> {
  const revision = parseResourceVersion(options.resourceVersion)
  const { engine, hooks } = context
  const isFresh = revision === undefined ? engine.store.soleWriter : revision <= engine.feed.revision
  return isFresh && hooks.visibility === undefined && hooks.present === undefined
    ? found(context, target, context.cache.get(target))
    : getLater(context, target, options, revision)
}

async function getLater(
  context: ResourceContext,
  target: NamedTarget,
  options: GetOptions,
  revision: number | undefined,
): Promise<Document> {
  if (revision === undefined) await caughtUp(context.engine)
  else await notOlderThan(context.engine, revision)
  const visibility = await visibilityFor(context, options.user)
  const document = found(context, target, ifVisible(context.cache.get(target), visibility))
  return context.hooks.present?.(document) ?? document
}

function found(context: ResourceContext, target: NamedTarget, document: StoredDocument | undefined): StoredDocument {
  if (document === undefined) throw notFound(context.kind, target.name)
  return document
}
