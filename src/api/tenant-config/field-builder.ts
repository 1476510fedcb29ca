import type {
  BooleanField,
  ConfigField,
  ConfigMembers,
  IntegerField,
  ListField,
  MapField,
  ObjectField,
  TextField,
} from './field.ts'
import type { TextFormat } from './text-format.ts'

/** Functions to write fields with. Each takes the description first, because editors show it. */

export function flag(description: string, initial: boolean): BooleanField<'defaulted'> {
  return { type: 'boolean', presence: 'defaulted', description, default: initial }
}

export function count(description: string, initial: number, limits: { minimum: number; maximum: number }) {
  const field: IntegerField<'defaulted'> = {
    type: 'integer',
    presence: 'defaulted',
    description,
    default: initial,
    ...limits,
  }
  return field
}

export function text(description: string, format: TextFormat, initial: string): TextField<'defaulted'> {
  return { type: 'text', presence: 'defaulted', description, format, default: initial }
}

export function requiredText(description: string, format: TextFormat): TextField<'required'> {
  return { type: 'text', presence: 'required', description, format }
}

/** `absent` describes what omitting it means. */
export function optionalText(description: string, format: TextFormat, absent?: string): TextField<'optional'> {
  return { type: 'text', presence: 'optional', description, format, ...(absent !== undefined && { absent }) }
}

export function listField<Items extends ConfigField>(
  description: string,
  items: Items,
  extras: { readonly distinct?: string } = {},
): ListField<Items, 'defaulted'> {
  return { type: 'list', presence: 'defaulted', description, items, ...extras }
}

export function texts(
  description: string,
  item: string,
  format: TextFormat,
): ListField<TextField<'required'>, 'defaulted'> {
  return listField(description, requiredText(item, format))
}

/** `absent` describes what omitting it means, which differs from an empty list. */
export function optionalTexts(
  description: string,
  item: string,
  format: TextFormat,
  absent: string,
): ListField<TextField<'required'>, 'optional'> {
  return { type: 'list', presence: 'optional', description, items: requiredText(item, format), absent }
}

export function mapField<Values extends ConfigField>(
  description: string,
  keys: TextFormat,
  values: Values,
): MapField<Values, 'defaulted'> {
  return { type: 'map', presence: 'defaulted', description, keys, values }
}

type ObjectExtras = Pick<ObjectField, 'name' | 'rules'>

/** If omitted, the defaults of its members apply. */
export function objectField<M extends ConfigMembers>(
  description: string,
  members: M,
  extras: ObjectExtras = {},
): ObjectField<M, 'defaulted'> {
  return { type: 'object', presence: 'defaulted', description, members, ...extras }
}

/** Its presence alone has a meaning. */
export function optionalObject<M extends ConfigMembers>(
  description: string,
  members: M,
  extras: ObjectExtras = {},
): ObjectField<M, 'optional'> {
  return { type: 'object', presence: 'optional', description, members, ...extras }
}
