import { type FieldError, forbiddenField, invalidField, requiredField } from '../../field-error.ts'
import { extension, isSet, namedNodesAt, nodeAt, type SchemaNode, schemaMember, schemaText } from '../schema-node.ts'

/** What is wrong with the schema of a whole object: that of a kind, or of an embedded object. */
export function resourceErrors(node: SchemaNode, path: string, isRoot: boolean): readonly FieldError[] {
  const isEmbedded = isSet(node, extension.embeddedResource)
  if (!isRoot && !isEmbedded) return []
  return [
    ...(isRoot ? rootErrors(node, path) : []),
    ...(isEmbedded ? embeddedErrors(node, path) : []),
    ...['apiVersion', 'kind'].flatMap((name) => memberTypeErrors(node, name, 'string', path)),
    ...memberTypeErrors(node, 'metadata', 'object', path),
    ...(isRoot ? metadataErrors(node, path) : []),
  ]
}

function rootErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const type = schemaText(node, 'type')
  return [
    ...(schemaMember(node, 'additionalProperties') === undefined
      ? []
      : [forbiddenField(`${path}.additionalProperties`, 'must not be used at the root')]),
    ...(type === '' || type === 'object' ? [] : [invalidField(`${path}.type`, type, 'must be object at the root')]),
  ]
}

const embedded = 'x-kubernetes-embedded-resource is true'

function embeddedErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const type = schemaText(node, 'type')
  const isEmpty = namedNodesAt(node, 'properties').length === 0
  return [
    ...(schemaMember(node, 'additionalProperties') === undefined
      ? []
      : [forbiddenField(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set')]),
    ...(type === '' ? [requiredField(`${path}.type`, `must be object if ${embedded}`)] : []),
    ...(type === '' || type === 'object' ? [] : [invalidField(`${path}.type`, type, `must be object if ${embedded}`)]),
    ...(isEmpty && !isSet(node, extension.preserveUnknownFields)
      ? [
          requiredField(
            `${path}.properties`,
            `must not be empty if ${embedded} without ${extension.preserveUnknownFields}`,
          ),
        ]
      : []),
  ]
}

function memberTypeErrors(node: SchemaNode, name: string, type: string, path: string): readonly FieldError[] {
  const member = nodeAt(nodeAt(node, 'properties') ?? {}, name)
  if (member === undefined || schemaText(member, 'type') === type) return []
  return [invalidField(`${path}.properties[${name}].type`, schemaText(member, 'type'), `must be ${type}`)]
}

const restrictable = ['name', 'generateName']

/** The server knows the schema of metadata; a custom schema may only restrict names. */
function metadataErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const metadata = nodeAt(nodeAt(node, 'properties') ?? {}, 'metadata')
  if (metadata === undefined) return []
  const members = Object.keys(metadata).every((name) =>
    ['type', 'properties', 'default', 'example', 'externalDocs'].includes(name),
  )
  const names = Object.keys(nodeAt(metadata, 'properties') ?? {}).every((name) => restrictable.includes(name))
  if (members && names) return []
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
  return [forbiddenField(`${path}.properties[metadata]`, detail)]
}
