import { Fragment, jsx as jsxOf, jsxs as jsxsOf } from 'react/jsx-runtime'
import { shownProps } from './shown-props.ts'

export { Fragment }

/** The build makes every element of the console by these two, so no text gets onto a page past them. */
export const jsx: typeof jsxOf = (type, props, key) => jsxOf(type, shownProps(props), key)
export const jsxs: typeof jsxsOf = (type, props, key) => jsxsOf(type, shownProps(props), key)
