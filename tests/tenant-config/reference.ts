import type { ConfigField, ObjectField } from '../../src/api/tenant-config/field.ts'
import { documentFields } from '../../src/api/tenant-config/fields.ts'
import { patchFields } from '../../src/api/tenant-config/patch-fields.ts'

/** Its fields are those of Kubernetes, and documented there. */
const ofKubernetes = 'Affinity'

interface Row {
  readonly path: string
  readonly field: ConfigField
}

/** The fields of tenant.yaml as Markdown: one table for each top-level field, and one for patches. */
export function fieldReference(): string {
  const sections = Object.entries(documentFields.members).map(([name, field]) => section(name, field))
  return [...sections, patchSection()].join('\n')
}

function section(name: string, field: ObjectField): string {
  const rows = name === 'platform' ? [] : rowsUnder(field, name)
  return [`### \`${name}\``, '', field.description, '', ...table(rows)].join('\n')
}

function patchSection(): string {
  return ['### Patches', '', patchFields.description, '', ...table(rowsUnder(patchFields, ''))].join('\n')
}

function table(rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return []
  const lines = rows.map(
    ({ path, field }) => `| \`${path}\` | ${typeOf(field)} | ${defaultOf(field)} | ${meaning(field)} |`,
  )
  return ['| Field | Type | Default | Meaning |', '|---|---|---|---|', ...lines, '']
}

/** Objects get a row only if their presence alone has a meaning. */
function rowsUnder({ members }: ObjectField, prefix: string): readonly Row[] {
  return Object.entries(members).flatMap(([name, field]) => rowsOf(prefix === '' ? name : `${prefix}.${name}`, field))
}

function rowsOf(path: string, field: ConfigField): readonly Row[] {
  if (field.type === 'object' && field.name === ofKubernetes) return [{ path, field }]
  if (field.type === 'object') {
    const own = field.presence === 'optional' ? [{ path, field }] : []
    return [...own, ...rowsUnder(field, path)]
  }
  if (field.type === 'list' && field.items.type === 'object' && field.items.name === undefined)
    return [{ path, field }, ...rowsUnder(field.items, `${path}[]`)]
  if (field.type !== 'map' || field.values.type !== 'object') return [{ path, field }]
  return [{ path, field }, ...rowsUnder(field.values, `${path}.<name>`)]
}

function typeOf(field: ConfigField): string {
  switch (field.type) {
    case 'boolean':
      return 'boolean'
    case 'integer':
      return `integer, ${field.minimum} to ${field.maximum}`
    case 'text':
      return 'text'
    case 'list':
      return listTypeOf(field.items)
    case 'map':
    case 'object':
      return 'mapping'
  }
}

function listTypeOf(items: ConfigField): string {
  if (items.type === 'text') return 'list of texts'
  return items.type === 'object' && items.name === undefined ? 'list of mappings' : 'list of [patches](#patches)'
}

function defaultOf(field: ConfigField): string {
  if (field.presence === 'required') return '*required*'
  if (field.type === 'list') return field.presence === 'optional' ? (field.absent ?? '') : '`[]`'
  if (field.type === 'map') return '`{}`'
  if (field.type === 'object') return field.presence === 'optional' ? '' : '`{}`'
  if (field.type === 'text' && field.default === undefined) return field.absent ?? ''
  if (field.type === 'integer' && field.default === undefined) return field.absent ?? ''
  return `\`${field.default}\``
}

function meaning(field: ConfigField): string {
  const pattern = field.type === 'text' && field.format.pattern !== undefined && field.default === undefined
  const example = pattern ? ` Example: \`${field.format.example}\`.` : ''
  return `${field.description}${example}`.replaceAll('|', '\\|')
}
