import { Fragment, jsx as jsxOf, jsxs as jsxsOf } from 'react/jsx-runtime'
import { shownProps } from './shown-props.ts'

export { Fragment }

/** The build creates every element of the console with these two, so no text gets onto a page past them. */
export const jsx: typeof jsxOf = (type, props, key) => jsxOf(type, shownProps(props), key)
export const jsxs: typeof jsxsOf = (type, props, key) => jsxsOf(type, shownProps(props), key)
