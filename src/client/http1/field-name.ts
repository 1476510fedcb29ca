/** What may be the name of a header. */
export const fieldName = /^[!#$%&'*+\-.^_`|~\w]+$/
