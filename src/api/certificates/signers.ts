/** Client certificates for the API, which users approve. */
export const clientSigner = 'kubernetes.io/kube-apiserver-client'
/** Certificates with which nodes call the API. */
export const nodeClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet'
/** Certificates that nodes present to the API. */
export const nodeServingSigner = 'kubernetes.io/kubelet-serving'
