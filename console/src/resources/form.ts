import type { ReactNode } from 'react'

/** The form that the user fills in for an object of one kind. */
export interface ResourceForm<Values> {
  readonly empty: Values
  readonly fields: (values: Values, onChange: (values: Values) => void) => ReactNode
  /** The resulting spec; a null member is removed. */
  readonly toSpec: (values: Values) => object
}
