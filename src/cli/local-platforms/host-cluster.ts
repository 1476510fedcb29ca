/** What `tenant up` calls the cluster that its virtual clusters run on. */
export const hostCluster = 'host'
