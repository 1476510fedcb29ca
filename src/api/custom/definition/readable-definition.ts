import { decodeStruct } from '../../decode/typed.ts'
import { badRequest } from '../../error.ts'
import { messageSchema } from '../../facts/message-schema.ts'
import type { CustomResourceDefinition } from '../../types/apiextensions-v1.ts'

const specMessage = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec'

/** Earlier versions stored schemas with unknown members, or members of the wrong type; they never had an effect. */
export function readableDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const context = { path: ['spec'], names: ['spec'], unknownFields: [], refuse: badRequest, isLenient: true }
  const spec = decodeStruct(messageSchema(specMessage), definition.spec, context)
  return spec === definition.spec ? definition : { ...definition, spec: spec as CustomResourceDefinition['spec'] }
}
