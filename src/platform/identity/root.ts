/** Beside the objects, so that no request reads or writes it. */
export const identityRoot = '/identity/'
