import { lazily } from '../../base/lazily.ts'
import { compileEffort } from '../../cel/compile-effort.ts'
import type { Kind, Scaling, StoredAs } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import type { Schema } from '../schema.ts'
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '../types/apiextensions-v1.ts'
import { comparePreference } from '../version-order.ts'
import { printerColumnsOf } from './columns.ts'
import { compileStructure } from './compile.ts'
import { evaluateRules } from './rules/evaluate-rules.ts'
import { compileRuleTree, mostExpressionSteps, type RuleNode } from './rules/rule-tree.ts'
import { scaleSpecErrors, scaleStatusErrors } from './scale-values.ts'
import type { SchemaNode } from './schema-node.ts'
import { firstAt, memberPath, parseSimplePath } from './simple-path.ts'
import type { Structure } from './structure.ts'
import { customKindSchema } from './structure-schema.ts'
import { validateValue } from './validate.ts'

/** How one version of a definition is served. */
export interface ServedVersion {
  readonly definition: CustomResourceDefinition
  /** Its accepted or wanted names. Its plural never changes. */
  readonly names: CustomResourceDefinitionNames
  readonly version: CustomResourceDefinitionVersion
  /** One version is the kind that is stored; the others are views of it. */
  readonly isView: boolean
  /** Of that version, if everything is known to be stored in it: a view shows no more than was kept. */
  readonly readStoredSchema?: () => SchemaNode
  /** Read on first use: of many definitions few are ever used, and schemas are large. */
  readonly readSchema: () => SchemaNode
}

export function customKind(served: ServedVersion): Kind {
  const { definition, names, version, isView, readSchema } = served
  const { group, scope } = definition.spec
  const { plural, singular = '', kind, listKind = `${kind}List`, shortNames, categories } = names
  const gvk = { group, version: version.name, kind }
  const shape = lazily(() => shapeFrom(gvk, readSchema()))
  const { status, scale } = version.subresources ?? {}
  const deprecation = deprecationOf(definition, version)
  const selectable = version.selectableFields ?? []
  return {
    ...gvk,
    plural,
    singular,
    listKind,
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    namespaced: scope === 'Namespaced',
    flavor: 'custom',
    get schema() {
      return shape().schema
    },
    structure: () => shape().structure,
    nameRule: 'dns-subdomain',
    hasStatus: status !== undefined,
    hasGeneration: true,
    ...(scale !== undefined && { scale: scaling(scale) }),
    ...(isView && { storedAs: viewOf(definition, served.readStoredSchema) }),
    ...(deprecation !== undefined && { deprecation }),
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    deleteAnswer: 'status',
    selectableFields: Object.fromEntries(selectable.map(({ jsonPath }) => [jsonPath.slice(1), textAt(jsonPath)])),
    columns: printerColumnsOf(version.additionalPrinterColumns),
    strategy: {
      validateSchema: (object, old, subresource) => [
        ...(subresource === 'status'
          ? statusErrors(shape().structure, object, old)
          : validateValue(shape().structure, object, old)),
        ...(old === undefined ? [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)] : []),
      ],
      validateUpdate: (object) => [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)],
      validateStatusUpdate: (object) => scaleStatusErrors(object, scale),
      validateRules: (object, old, subresource) => {
        const rules = shape().rules()
        return rules === undefined
          ? undefined
          : evaluateRules(rules, object, old, { isStrict: subresource === 'status' })
      },
    },
  }
}

/** A write to `/status` is checked as if the status were the whole object. */
function statusErrors({ properties }: Structure, { status }: KubeObject, old: KubeObject | undefined) {
  const structure = properties.get('status')
  if (structure === undefined || status === undefined) return []
  return validateValue(structure, status, old?.status).map((error) => ({ ...error, field: inStatus(error.field) }))
}

function inStatus(field: string): string {
  return field === '<nil>' ? 'status' : `status${field.startsWith('[') ? '' : '.'}${field}`
}

interface Shape {
  readonly structure: Structure
  readonly schema: Schema
  /** Compiled on first use. */
  readonly rules: () => RuleNode | undefined
}

function shapeFrom(gvk: { group: string; version: string; kind: string }, node: SchemaNode): Shape {
  const structure = compileStructure(node)
  return {
    structure,
    schema: customKindSchema(gvk, structure, node),
    rules: lazily(() => compileRuleTree(structure, compileEffort(mostExpressionSteps))),
  }
}

/** The conversion strategy is None: only the apiVersion differs, and that is not stored. */
function viewOf({ spec }: CustomResourceDefinition, readStored: ServedVersion['readStoredSchema']): StoredAs {
  const version = (spec.versions ?? []).find(({ storage }) => storage)?.name ?? ''
  const same = (object: KubeObject) => object
  return {
    group: spec.group,
    plural: spec.names.plural,
    version,
    toStored: same,
    fromStored: same,
    ...(readStored && { structure: lazily(() => compileStructure(readStored())) }),
  }
}

function deprecationOf(
  { spec }: CustomResourceDefinition,
  { name, deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
): string | undefined {
  if (deprecated !== true) return undefined
  if (deprecationWarning !== undefined) return deprecationWarning
  const { group, names } = spec
  const [better] = (spec.versions ?? [])
    .filter((each) => each.served && each.deprecated !== true && comparePreference(each.name, name) < 0)
    .map((each) => each.name)
    .toSorted(comparePreference)
  const advice = better === undefined ? '' : `; use ${group}/${better} ${names.kind}`
  return `${group}/${name} ${names.kind} is deprecated${advice}`
}

function textAt(jsonPath: string): (object: KubeObject) => string {
  const steps = parseSimplePath(jsonPath) ?? []
  return (object) => {
    const value = firstAt(object, steps)
    // A stored object may have an earlier schema, and one whose member `toString` is not a function cannot be converted
    // to text.
    return value === undefined || typeof value === 'object' ? '' : String(value)
  }
}

function scaling({ specReplicasPath, statusReplicasPath, labelSelectorPath }: CustomResourceSubresourceScale): Scaling {
  const selector = labelSelectorPath === undefined ? () => '' : textAt(labelSelectorPath)
  return {
    selector,
    paths: { spec: memberPath(specReplicasPath), status: memberPath(statusReplicasPath) },
  }
}
