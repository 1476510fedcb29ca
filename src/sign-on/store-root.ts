/** Beside the objects, where no request reaches: what replicas share of sign-ins that are under way. */
export const signOnRoot = '/sign-on/'
