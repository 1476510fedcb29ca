import type { GroupVersionKind } from '../object.ts'
import type { Schema } from '../schema.ts'
import { object, type Properties, string } from '../schema-builder.ts'
import { objectMetaSchema } from './schema.ts'

/**
 * Members that precede those of the kind in every object. Their descriptions, and those of metadata, begin as in
 * Kubernetes: its conformance tests look for that in what kubectl explains.
 */
export const typeMetaProperties: Properties = {
  apiVersion: string(
    'APIVersion defines the schema that this representation of the object follows, as `group/version`.',
  ),
  kind: string('Kind of the object, in CamelCase.'),
}

/** The schema of a whole object. `members` is usually `spec` and `status`. */
export function kindSchema(gvk: GroupVersionKind, description: string, members: Properties): Schema {
  return object(
    description,
    { ...typeMetaProperties, metadata: objectMetaSchema, ...members },
    { name: publishedName(gvk) },
  )
}

/** `management.example.com/v1 Project` is published as `com.example.management.v1.Project`. */
function publishedName({ group, version, kind }: GroupVersionKind): string {
  return [...group.split('.').reverse(), version, kind].join('.')
}
