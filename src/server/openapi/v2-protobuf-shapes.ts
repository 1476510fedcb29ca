/** The protobuf form of an OpenAPI 2 object's members. */
export interface MessageShape {
  readonly fields: Readonly<Record<string, FieldShape>>
  /** The field for members named `x-…`. */
  readonly extensions?: number
}

type ScalarShape = {
  readonly number: number
  readonly as: 'string' | 'strings' | 'bool' | 'int64' | 'double' | 'any' | 'anys' | 'parameters'
}

type NestedShape = {
  readonly number: number
  readonly as: 'message' | 'messages'
  readonly message: MessageName
}

export type FieldShape =
  | ScalarShape
  | NestedShape
  /** A message around pairs; `pairs` is the repeated field, `value` the value beside each name. */
  | { readonly number: number; readonly as: 'named'; readonly pairs: number; readonly value: FieldShape }
  /** A message around one field. */
  | { readonly number: number; readonly as: 'wrapped'; readonly inner: FieldShape }

type MessageName =
  | 'Document'
  | 'Info'
  | 'PathItem'
  | 'Operation'
  | 'BodyParameter'
  | 'QueryParameter'
  | 'PathParameter'
  | 'Response'
  | 'Schema'
  | 'ApiKeySecurity'

export const messages: Readonly<Record<MessageName, MessageShape>> = {
  Document: {
    fields: {
      swagger: scalar(1, 'string'),
      info: message(2, 'Info'),
      paths: named(8, 2, message(2, 'PathItem')),
      definitions: named(9, 1, message(2, 'Schema')),
      securityDefinitions: named(13, 1, wrapped(2, message(2, 'ApiKeySecurity'))),
    },
    extensions: 16,
  },
  Info: { fields: { title: scalar(1, 'string'), version: scalar(2, 'string'), description: scalar(3, 'string') } },
  ApiKeySecurity: { fields: { type: scalar(1, 'string'), name: scalar(2, 'string'), in: scalar(3, 'string') } },
  PathItem: {
    fields: {
      get: message(2, 'Operation'),
      put: message(3, 'Operation'),
      post: message(4, 'Operation'),
      delete: message(5, 'Operation'),
      patch: message(8, 'Operation'),
      parameters: scalar(9, 'parameters'),
    },
  },
  Operation: {
    fields: {
      tags: scalar(1, 'strings'),
      description: scalar(3, 'string'),
      operationId: scalar(5, 'string'),
      produces: scalar(6, 'strings'),
      consumes: scalar(7, 'strings'),
      parameters: scalar(8, 'parameters'),
      responses: named(9, 1, wrapped(2, message(1, 'Response'))),
      schemes: scalar(10, 'strings'),
    },
    extensions: 13,
  },
  BodyParameter: {
    fields: {
      description: scalar(1, 'string'),
      name: scalar(2, 'string'),
      in: scalar(3, 'string'),
      required: scalar(4, 'bool'),
      schema: message(5, 'Schema'),
    },
  },
  QueryParameter: {
    fields: {
      required: scalar(1, 'bool'),
      in: scalar(2, 'string'),
      description: scalar(3, 'string'),
      name: scalar(4, 'string'),
      type: scalar(6, 'string'),
      uniqueItems: scalar(20, 'bool'),
    },
  },
  PathParameter: {
    fields: {
      required: scalar(1, 'bool'),
      in: scalar(2, 'string'),
      description: scalar(3, 'string'),
      name: scalar(4, 'string'),
      type: scalar(5, 'string'),
      uniqueItems: scalar(19, 'bool'),
    },
  },
  Response: { fields: { description: scalar(1, 'string'), schema: wrapped(2, message(1, 'Schema')) } },
  Schema: {
    fields: {
      $ref: scalar(1, 'string'),
      format: scalar(2, 'string'),
      description: scalar(4, 'string'),
      default: scalar(5, 'any'),
      maximum: scalar(7, 'double'),
      minimum: scalar(9, 'double'),
      maxLength: scalar(11, 'int64'),
      minLength: scalar(12, 'int64'),
      required: scalar(19, 'strings'),
      enum: scalar(20, 'anys'),
      additionalProperties: wrapped(21, message(1, 'Schema')),
      type: wrapped(22, scalar(1, 'strings')),
      items: wrapped(23, { number: 1, as: 'messages', message: 'Schema' }),
      properties: named(25, 1, message(2, 'Schema')),
    },
    extensions: 31,
  },
}

function scalar(number: number, as: ScalarShape['as']): ScalarShape {
  return { number, as }
}

function message(number: number, name: MessageName): NestedShape {
  return { number, as: 'message', message: name }
}

function named(number: number, pairs: number, value: FieldShape): FieldShape {
  return { number, as: 'named', pairs, value }
}

function wrapped(number: number, inner: FieldShape): FieldShape {
  return { number, as: 'wrapped', inner }
}
