import { formatAge } from '../../api/human/age.ts'
import type { Column, Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { printJson } from '../../base/json/print.ts'
import type { Document } from '../../registry/contract.ts'
import type { ListText } from './list-text.ts'
import { partialMetadataJson } from './partial.ts'

export type IncludeObject = 'Metadata' | 'Object' | 'None'

export interface TableForm {
  readonly version: 'v1' | 'v1beta1'
  readonly includeObject: IncludeObject
  readonly nowMs: number
}

/** A Table with one row, as JSON text. */
export function tableJson(kind: Kind, document: Document, metadataJson: string, form: TableForm): string {
  return tableText(columnDefinitionsJson(kind), `[${rowJson(kind, document, form)}]`, metadataJson, form.version)
}

export function tableOf(kind: Kind, metadataJson: string, form: TableForm): ListText {
  return {
    opening: tableOpening(columnDefinitionsJson(kind), metadataJson, form.version),
    member: 'rows',
    empty: kind.hasNullRows === true ? 'null' : '[]',
    item: (document) => rowJson(kind, document, form),
  }
}

/** A Table that only adds rows to an earlier one: clients keep its columns. */
export function tableRowsJson(kind: Kind, document: Document, metadataJson: string, form: TableForm): string {
  return tableText('null', `[${rowJson(kind, document, form)}]`, metadataJson, form.version)
}

export function emptyTableJson(kind: Kind, metadataJson: string, version: string): string {
  return tableText(columnDefinitionsJson(kind), '[]', metadataJson, version)
}

function tableText(columns: string, rows: string, metadata: string, version: string): string {
  return `${tableOpening(columns, metadata, version).slice(0, -1)}${rows}}`
}

function tableOpening(columns: string, metadata: string, version: string): string {
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${metadata},"columnDefinitions":${columns},"rows":[`
}

function rowJson(kind: Kind, document: Document, form: TableForm): string {
  const object = document.object
  const cells = columnsOf(kind).map((column) => column.value(object, form.nowMs))
  const conditions = kind.rowConditions?.(object) ?? []
  const told = conditions.length === 0 ? '' : `"conditions":${printJson(conditions)},`
  return `{"cells":${printJson(cells)},${told}"object":${rowObjectJson(document, object, form)}}`
}

function rowObjectJson(document: Document, object: KubeObject, form: TableForm): string {
  switch (form.includeObject) {
    case 'None':
      return 'null'
    case 'Object':
      return document.json.toString()
    case 'Metadata':
      return partialMetadataJson(object, form.version)
  }
}

const definitions = new WeakMap<Kind, string>()

function columnDefinitionsJson(kind: Kind): string {
  const known = definitions.get(kind)
  if (known !== undefined) return known
  const json = JSON.stringify(columnsOf(kind).map(columnDefinition))
  definitions.set(kind, json)
  return json
}

function columnDefinition({ name, type, format = '', description, priority = 0 }: Column) {
  return { name, type, format, description, priority }
}

function columnsOf(kind: Kind): readonly Column[] {
  return kind.columns ?? defaultColumns
}

/** For kinds that define no columns. */
const defaultColumns: readonly Column[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Unique within its namespace, or among all objects of a kind that has none.',
    value: (object) => object.metadata.name ?? '',
  },
  {
    name: 'Age',
    type: 'date',
    description: 'Time since the object was created.',
    value: (object, nowMs) => formatAge(object.metadata.creationTimestamp, nowMs),
  },
]
