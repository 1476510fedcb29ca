import { notFound } from '../../api/error.ts'
import type { ResourceContext } from '../context.ts'
import type { Document, GetOptions, NamedTarget } from '../contract.ts'
import { caughtUp, notOlderThan } from '../freshness.ts'
import { ifVisible, visibilityFor } from '../visibility.ts'
import { parseResourceVersion } from './read-options.ts'

export async function getObject(context: ResourceContext, target: NamedTarget, options: GetOptions): Promise<Document> {
  const revision = parseResourceVersion(options.resourceVersion)
  if (revision === undefined) await caughtUp(context.engine)
  else await notOlderThan(context.engine, revision)
  const visibility = context.hooks.visibility === undefined ? undefined : await visibilityFor(context, options.user)
  const document = ifVisible(context.cache.get(target), visibility)
  if (document === undefined) throw notFound(context.kind, target.name)
  return document
}
