import { notFound } from '../../api/error.ts'
import type { ResourceContext } from '../context.ts'
import type { Document, GetOptions, NamedTarget } from '../contract.ts'
import { caughtUp, notOlderThan } from '../freshness.ts'
import { parseResourceVersion } from './read-options.ts'

export async function getObject(context: ResourceContext, target: NamedTarget, options: GetOptions): Promise<Document> {
  const revision = parseResourceVersion(options.resourceVersion)
  if (revision === undefined) await caughtUp(context.engine)
  else await notOlderThan(context.engine, revision)
  const document = context.cache.get(target)
  if (document === undefined) throw notFound(context.kind, target.name)
  return document
}
