# Written by `make inputs` (tools/stubs.py).

from typing import Any

from facility.core.table import Value

class AirResults:
    si: Any
    coil: Any
    condensate: Value
    containment: Value
    dehumidifier: Value
    door: Any
    doors: Value
    electrical_units: Any
    fans: Any
    humidifier: Value
    humidifier_kind: Value
    humidity: Value
    inlet_worst: Value
    latent_heat: Value
    limit: Any
    rack: Any
    sensors: Value
    server: Any
    shr: Value
    supply: Value
    terminal: Value
    tile: Any
    units: Any
    ventilation: Value

class AnnualResults:
    si: Any
    chiller_full_load_hours: Value
    cooling: Any
    economizer: Any
    full_load_hours: Any
    generator: Any
    heat_pump: Any
    hours_beyond: Value
    hours_measured: Value
    house: Value
    it: Value
    load: Any
    load_factor: Value
    losses: Any
    p50: Value
    p90: Value
    p99: Value
    peak: Value
    peak_kva: Value
    reuse: Any
    short: Any

class AvailabilityResults:
    si: Any
    worst: Value

class BatteryResults:
    si: Any
    ampere_hour_method: Value
    autonomy_design: Value
    autonomy_failure: Value
    autonomy_failure_new: Value
    autonomy_normal: Value
    autonomy_normal_new: Value
    autonomy_required: Value
    block_power: Value
    blocks: Value
    blocks_per_string: Value
    cabinets: Value
    capacity: Value
    charging_current: Value
    charging_power: Value
    hydrogen_airflow: Value
    hydrogen_concentration: Value
    hydrogen_evolution: Value
    least: Value
    listed_power: Value
    mass: Value
    model: Value
    recharge_power: Value
    recharge_time: Value
    ride_through: Value
    set_load: Value
    strings: Value
    technology: Value
    temperature_factor: Value

class CapacityResults:
    si: Any
    it: Any

class CarbonResults:
    si: Any
    annual: Value
    annual_estimate: Value
    intensity: Value

class CduResults:
    si: Any
    count: Value
    design_heat: Value
    first_choice: Value
    flow: Value
    model: Value
    options: Value

class ConcurrentlyMaintainableResults:
    si: Any
    because: Value

class CoolingResults:
    si: Any
    cdu_pumps: Value
    chillers: Value
    chw_pumps: Value
    condenser_pumps: Value
    crah_fans: Value
    fws_pumps: Value
    heat_rejection_fans: Value
    humidification: Value
    def __getattr__(self, name: str) -> Any: ...

class CostResults:
    si: Any
    annual: Value
    annuity: Value
    capital: Value
    depreciation: Value
    gpu_hour: Value
    it_power: Value
    levelised: Value
    month_estimate: Value
    ownership: Value
    price: Value
    training_run: Value
    unpriced: Value

class CrahResults:
    si: Any
    airflow: Value
    count: Value
    design_heat: Value
    electrical_count: Value
    inlet_temperature: Value
    inlet_temperature_worst: Value
    return_temperature: Value
    supply_temperature: Value

class CrossoverResults:
    si: Any
    because: Value
    by_limit: Value
    by_power: Any
    density: Value
    def __getattr__(self, name: str) -> Any: ...

class DcResults:
    si: Any
    architecture: Value
    at_400v: Any
    at_54v: Any
    at_800v: Any
    conductors: Value
    current: Value
    input_power: Value
    load: Value
    loss: Value
    maximum_power: Value
    resistance: Value
    section: Value
    source_power: Value
    voltage_at_load: Value
    voltage_drop: Value
    voltage_drop_fraction: Value

class DensityResults:
    si: Any
    project: Value
    def __getattr__(self, name: str) -> Any: ...

class DownTimeResults:
    si: Any
    worst: Value

class EconomizerResults:
    si: Any
    heat_design: Value
    heat_mean: Value
    kind: Value
    share_year: Value

class ElcResults:
    si: Any
    annual: Value

class EnergyResults:
    si: Any
    annual: Value
    annual_estimate: Value

class ErfResults:
    si: Any
    with_heat_pump: Value

class FaultResults:
    si: Any
    ats: Any
    board: Value
    generator_bus: Any
    generator_plant: Any
    inverter: Value
    panel: Value
    pdu: Any
    rack_pdu: Value
    service: Value
    sts: Any
    ups_output: Any

class FaultTolerantResults:
    si: Any
    because: Value

class FeederResults:
    si: Any
    drop_max: Value
    electronic_trips: Value
    ground_fault_trips: Value
    loss: Value
    loss_mv: Value
    sorts: Value

class FuelResults:
    si: Any
    annual: Value

class FwsResults:
    si: Any
    chilled_heat: Value
    flow: Value
    over_dew_point: Value
    rejection: Any
    supply: Value

class GeneratorResults:
    si: Any
    connection: Value
    count: Value
    design_load: Value
    first_step: Value
    fuel_rate: Value
    fuel_time: Value
    largest_step: Value
    load: Value
    loading: Value
    loading_least: Value
    model: Value
    rating: Value
    rating_kva: Value
    sections: Value
    starting_kva: Value
    step_up: Any
    steps: Value
    tank: Value
    voltage: Value
    voltage_dip: Value

class GroupsResults:
    si: Any
    count: Value
    largest: Value
    smallest: Value

class HeatResults:
    si: Any
    air: Value
    electrical_room: Value
    liquid: Value
    outdoors: Value
    rejected: Value
    room: Value
    ventilation: Value

class ItResults:
    si: Any
    hall: Any

class LoadResults:
    si: Any
    basis: Value
    cooling: Value
    facility: Value
    gpu: Value
    gpus: Value
    house: Value
    it: Value
    it_idle: Value
    it_peak: Value
    it_typical: Value
    it_va: Value
    losses: Value
    management: Value
    network: Value
    racks: Value
    server: Value
    servers: Value
    storage: Value
    supply_loss: Value

class LoadCappedResults:
    si: Any
    max: Value

class LoadDroppedResults:
    si: Any
    max: Value

class LoadingResults:
    si: Any
    max: Value

class LoopResults:
    si: Any
    chw: Any
    cw: Any
    fws: Any
    fws_tower: Any
    iterations: Value
    tcs: Any
    def __getattr__(self, name: str) -> Any: ...

class LossesResults:
    si: Any
    branch: Value
    feeder: Value
    lv_board: Value
    pdu_transformer: Value
    rack_pdu: Value
    transformer: Value
    ups: Value
    def __getattr__(self, name: str) -> Any: ...

class MaintenanceResults:
    si: Any
    unprotected: Value

class MakeupResults:
    si: Any
    chillers: Any
    facility_water: Any
    heat: Value

class MlcResults:
    si: Any
    annual: Value

class NetworkResults:
    si: Any
    circuits: Value
    equipment: Value

class OptionResults:
    si: Any
    air: Any
    hybrid: Any
    in_row: Any
    liquid: Any
    rear_door: Any
    def __getattr__(self, name: str) -> Any: ...

class PanelsResults:
    si: Any
    circuits: Value
    count: Value
    current_max: Value
    imbalance_max: Value
    lost_supplies: Value
    lost_supplies_covered: Value

class PduResults:
    si: Any
    count: Value
    harmonic_capability: Value
    k_factor: Value
    thd: Value

class PlantResults:
    si: Any
    bypass_flow: Any
    chilled_water_flow: Value
    chiller_cop: Value
    chiller_count: Value
    chiller_part_load: Any
    chillers_running: Any
    fws_rejection_count: Value
    pumping: Value
    rejection: Any
    rejection_count: Value

class PpueResults:
    si: Any
    cooling: Value
    losses: Value

class PueResults:
    si: Any
    annual: Value
    category: Any
    design: Value
    estimate: Value
    part: Any
    with_heat_pump: Value

class RacksResults:
    si: Any
    mass_max: Value
    power_max: Value

class ReuseResults:
    si: Any
    available: Value
    ere: Value
    heat: Value
    temperature: Value

class RideResults:
    si: Any
    cdu: Any
    cdu_pump: Any
    chiller: Any
    chw_header: Any
    chw_pump: Any
    chw_pump_only: Any
    coolant_flow: Any
    crah: Any
    cw_pump: Any
    cw_pump_only: Any
    fws_header: Any
    fws_pump: Any
    fws_pump_only: Any
    fws_rejection: Any
    horizon: Value
    makeup_water: Any
    power_ats_1: Any
    power_ats_11: Any
    power_ats_12: Any
    power_lvb_1: Any
    power_lvb_11: Any
    power_lvb_12: Any
    power_upo_1: Any
    power_upo_11: Any
    power_upo_12: Any
    rejection: Any
    restored: Value
    tcs_header: Any
    tower_pump: Any
    tower_pump_only: Any
    utility: Any
    utility_all_on_ups: Any
    utility_generator: Any
    utility_none_on_ups: Any
    volume: Any
    def __getattr__(self, name: str) -> Any: ...

class RunsCappedResults:
    si: Any
    because: Value

class SagResults:
    si: Any
    battery_left: Value
    battery_used: Value
    load_off: Value
    stays_off: Value
    transfers: Value

class StatesResults:
    si: Any
    count: Value
    dropping: Value
    outages: Value
    overloaded: Value

class StorageResults:
    si: Any
    discharged: Value
    facility_water_tank: Value
    restart_volume: Value
    saving: Value
    tank: Value
    time: Value

class SubstationResults:
    si: Any
    count: Value

class SwingResults:
    si: Any
    after: Any
    amplitude: Value
    band: Value
    burn: Value
    flicker: Value
    frequency: Value
    generator: Value
    highest: Value
    it: Value
    lowest: Value
    price: Value
    rack: Value
    running: Value
    step: Value
    storage: Any
    ups: Value
    utility: Value
    voltage_change: Value

class TcsResults:
    si: Any
    case: Value
    flush_flow: Value
    flush_velocity: Value
    leak_loop: Value
    leak_rack: Value
    over_dew_point: Value
    rack_air: Value
    rack_drop: Value
    rack_flow: Value
    rack_return: Value
    supply_least: Value
    test_pressure: Value
    volume: Value

class TransformerResults:
    si: Any
    count: Value
    efficiency_failure: Value
    efficiency_normal: Value
    harmonic_capability: Value
    k_factor: Value
    loading_failure: Value
    loading_normal: Value
    rating_kva: Value
    regulation: Value
    thd: Value

class UpsResults:
    si: Any
    eco_efficiency: Value
    eco_losses: Value
    efficiency: Value
    efficiency_failure: Value
    input_current_low_line: Value
    input_limit: Value
    input_rating_minimum: Value
    loading_failure: Value
    loading_fullest: Value
    loading_normal: Value
    loading_va_failure: Value
    loading_va_normal: Value
    losses: Value
    losses_failure: Value
    model: Value
    module_rating: Value
    module_rating_kva: Value
    modules: Value
    output: Value
    output_current: Value
    scheme: Value
    shortlist: Any
    systems: Value

class UtilityResults:
    si: Any
    current: Value
    demand: Value
    demand_kva: Value
    fault_current: Value
    fault_peak: Value
    mv_current_13_8kv: Value
    mv_current_33kv: Value
    mv_current_34_5kv: Value
    power_factor: Value
    voltage: Value

class VoltageResults:
    si: Any
    min: Value

class WaterResults:
    si: Any
    annual: Value
    blowdown: Value
    drift: Value
    evaporation: Value
    makeup: Value
    storage: Value

class WueResults:
    si: Any
    design: Value
    site: Value
    source: Value

class ResultNames:
    air: AirResults
    annual: AnnualResults
    availability: AvailabilityResults
    battery: BatteryResults
    capacity: CapacityResults
    carbon: CarbonResults
    cdu: CduResults
    concurrently_maintainable: ConcurrentlyMaintainableResults
    cooling: CoolingResults
    cost: CostResults
    crah: CrahResults
    crossover: CrossoverResults
    dc: DcResults
    density: DensityResults
    down_time: DownTimeResults
    economizer: EconomizerResults
    elc: ElcResults
    energy: EnergyResults
    erf: ErfResults
    fault: FaultResults
    fault_tolerant: FaultTolerantResults
    feeder: FeederResults
    fuel: FuelResults
    fws: FwsResults
    generator: GeneratorResults
    groups: GroupsResults
    heat: HeatResults
    it: ItResults
    load: LoadResults
    load_capped: LoadCappedResults
    load_dropped: LoadDroppedResults
    loading: LoadingResults
    loop: LoopResults
    losses: LossesResults
    maintenance: MaintenanceResults
    makeup: MakeupResults
    mlc: MlcResults
    network: NetworkResults
    option: OptionResults
    panels: PanelsResults
    pdu: PduResults
    plant: PlantResults
    ppue: PpueResults
    pue: PueResults
    racks: RacksResults
    reuse: ReuseResults
    ride: RideResults
    runs_capped: RunsCappedResults
    sag: SagResults
    states: StatesResults
    storage: StorageResults
    substation: SubstationResults
    swing: SwingResults
    tcs: TcsResults
    transformer: TransformerResults
    ups: UpsResults
    utility: UtilityResults
    voltage: VoltageResults
    water: WaterResults
    wue: WueResults
    cue: Value
    depth: Value
    ere: Value
    single_points: Value
    panel: Any
