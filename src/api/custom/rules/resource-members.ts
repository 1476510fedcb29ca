import type { Structure, StructureType } from '../structure.ts'

/** Expressions see the name, apiVersion and kind of a whole object, even if its schema does not mention them. */
export function withResourceMembers(structure: Structure): Structure {
  const { properties } = structure
  if (isComplete(properties)) return structure
  return {
    ...structure,
    properties: new Map([...properties, ['apiVersion', text], ['kind', text], ['metadata', metadata]]),
  }
}

function isComplete(properties: Structure['properties']): boolean {
  const own = properties.get('metadata')
  return (
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    own?.type === 'object' &&
    own.properties.get('name')?.type === 'string' &&
    own.properties.get('generateName')?.type === 'string'
  )
}

function plain(type: StructureType, properties: Structure['properties'] = new Map()): Structure {
  return {
    type,
    isNullable: false,
    isIntOrString: false,
    keepsUnknown: false,
    isResource: false,
    properties,
    listMapKeys: [],
    defaults: [],
    rules: [],
    checks: { required: [], allOf: [], anyOf: [], oneOf: [] },
  }
}

const text = plain('string')
const metadata = plain(
  'object',
  new Map([
    ['generateName', text],
    ['name', text],
  ]),
)
