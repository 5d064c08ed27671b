/** Each page comes by itself: who signs in need not wait for what signing up takes. */
export const loadForgetPassword = () => import('./forget-password-page')
export const loadLogin = () => import('./login-page')
export const loadSetPassword = () => import('./set-password-page')
export const loadSignup = () => import('./signup-page')
