// A producer in Rust: row-major float32 arrays, exported as DLManagedTensorVersioned.
//   rustc --crate-type cdylib --edition 2021 -O producer.rs -o libproducer.so && dlspec run ./libproducer.so
use std::os::raw::{c_char, c_int, c_void};
use std::{mem::size_of, ptr, slice};

#[repr(C)] // DlspecSpec of <dlspec/plugin.h>
pub struct Spec {
    code: u8, bits: u8, lanes: u16, ndim: i32, shape: *const i64, strides: *const i64, offset: i64,
    read_only: i32, device_type: i32, device_id: i32, bytes: *const u8, byte_count: usize,
}
#[repr(C)] // DlspecPlugin
pub struct Plugin {
    plugin_version: u32, table_size: u32, name: *const c_char, version: *const c_char,
    make: unsafe extern "C" fn(&Spec, c_int, *mut *mut c_void, *mut *const c_char) -> c_int,
    no_consumer: [*const c_void; 3], no_bridge: *const c_void,
}
unsafe impl Sync for Plugin {}

#[repr(C)] // DLManagedTensorVersioned; what it owns stands behind it
pub struct Export {
    major: u32, minor: u32, context: *mut c_void, deleter: unsafe extern "C" fn(*mut Export), flags: u64,
    data: *mut u8, device_type: i32, device_id: i32, ndim: i32, code: u8, bits: u8, lanes: u16,
    shape: *mut i64, strides: *mut i64, byte_offset: u64,
    extents: Vec<i64>, steps: Vec<i64>, elements: Vec<f32>,
}

unsafe extern "C" fn release(export: *mut Export) {
    drop(Box::from_raw(export));
}

unsafe extern "C" fn make(spec: &Spec, generation: c_int, exported: *mut *mut c_void, why: *mut *const c_char) -> c_int {
    if generation != 1 || (spec.code, spec.bits, spec.lanes) != (2, 32, 1) || !spec.strides.is_null()
        || spec.offset != 0 || spec.read_only != 0 || spec.device_type != 1 {
        *why = "only writable row-major float32\0".as_ptr().cast();
        return 1;
    }
    let extents = match spec.ndim { 0 => vec![], rank => slice::from_raw_parts(spec.shape, rank as usize).to_vec() };
    let mut steps = vec![1; extents.len()];
    for axis in (1..extents.len()).rev() {
        steps[axis - 1] = steps[axis] * extents[axis];
    }
    let mut elements = vec![0f32; spec.byte_count / 4];
    ptr::copy_nonoverlapping(spec.bytes, elements.as_mut_ptr().cast(), elements.len() * 4);
    let mut export = Box::new(Export {
        major: 1, minor: 3, context: ptr::null_mut(), deleter: release, flags: 0, data: ptr::null_mut(), device_type: 1,
        device_id: 0, ndim: spec.ndim, code: 2, bits: 32, lanes: 1, shape: ptr::null_mut(), strides: ptr::null_mut(),
        byte_offset: 0, extents, steps, elements,
    });
    export.shape = export.extents.as_mut_ptr();
    export.strides = export.steps.as_mut_ptr();
    if !export.elements.is_empty() { export.data = export.elements.as_mut_ptr().cast(); } // no elements: data is NULL
    *exported = Box::into_raw(export).cast();
    0
}

static PLUGIN: Plugin = Plugin {
    plugin_version: 1, table_size: size_of::<Plugin>() as u32, name: "Rust example\0".as_ptr().cast(),
    version: "1.0\0".as_ptr().cast(), make, no_consumer: [ptr::null(); 3], no_bridge: ptr::null(),
};
#[no_mangle] pub extern "C" fn dlspec_plugin() -> &'static Plugin { &PLUGIN }
