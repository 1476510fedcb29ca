import type { Column, Kind, Strategy } from '../kind.ts'
import { kindSchema } from '../metadata/kind-schema.ts'
import type { Properties } from '../schema-builder.ts'
import { object } from '../schema-builder.ts'
import { managementAgeColumn, managementNameColumn } from './columns.ts'
import { textAtPath } from './text-at.ts'

/** What is specific to one management kind. Everything else is the same for all of them. */
export interface ManagementKind {
  readonly kind: string
  /** The name of the generated types; absent: the kind. */
  readonly typeName?: string
  readonly plural: string
  readonly shortNames?: readonly string[]
  readonly namespaced: boolean
  readonly description: string
  readonly spec: Properties
  readonly status: Properties
  /** Shown between the name and the age. */
  readonly columns: readonly Column[]
  /** Fields of spec and status by which objects can be selected. */
  readonly selectable?: readonly string[]
  readonly strategy?: Strategy
  readonly goesWhenGraceEnds?: boolean
  readonly hasSealedPart?: boolean
}

export function managementGroup(domain: string): string {
  return `management.${domain}`
}

/**
 * Management kinds behave like custom resources. An update must name the version that it changes, so that two people
 * never unknowingly overwrite each other.
 */
export function managementKind(domain: string, definition: ManagementKind): Kind {
  const {
    kind,
    typeName = kind,
    plural,
    namespaced,
    shortNames = [],
    selectable = [],
    strategy = {},
    goesWhenGraceEnds = false,
    hasSealedPart = false,
  } = definition
  const group = managementGroup(domain)
  return {
    group,
    version: 'v1',
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames,
    categories: ['platform'],
    namespaced,
    flavor: 'custom',
    schema: {
      ...kindSchema({ group, version: 'v1', kind }, definition.description, {
        spec: object('The desired state.', definition.spec, { typeName: `${typeName}Spec` }),
        status: object('The observed state. Written by the platform.', definition.status, {
          typeName: `${typeName}Status`,
        }),
      }),
      typeName,
    },
    nameRule: 'dns-subdomain',
    hasStatus: true,
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    deleteAnswer: 'status',
    goesWhenGraceEnds,
    hasSealedPart,
    selectableFields: Object.fromEntries(selectable.map((path) => [path, textAtPath(path)])),
    columns: [managementNameColumn, ...definition.columns, managementAgeColumn],
    strategy,
  }
}
