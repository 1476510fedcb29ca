/** Outside the objects, where no request reaches: what replicas share about sign-ins in progress. */
export const signOnRoot = '/sign-on/'
