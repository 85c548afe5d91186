/// <reference types="vite/client" />

declare module 'virtual:palette.css';
